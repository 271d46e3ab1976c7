// Steps through the moves of a game. The server says where the game is, but a key that is held down
// does not wait for it: steps are counted from where the last one leads.

import { stepped } from "./game-view.js";

/**
 * The keys that step through a game, and how far.
 * @type {Record<string, number>}
 */
export const STEP_KEYS = { ",": -1, ".": 1, ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity, PageUp: -10, PageDown: 10 };

export class Stepping {
  /**
   * @param {import("./game-view.js").GameView} game
   * @param {(node: number) => void} request asks the server for a node
   */
  constructor(game, request) {
    this.game = game;
    this.request = request;
    /**
     * Where the steps lead, and which of them the server has been asked for; `null` if it has answered.
     * @type {number | null}
     */
    this.target = null;
    /** @type {number | null} */
    this.asked = null;
  }

  /**
   * Goes so many steps along the line.
   * @param {number} steps
   * @param {number} at the node that is shown
   */
  step(steps, at = this.game.at) {
    this.goTo(stepped(this.game, this.target ?? at, steps), at);
  }

  /**
   * Goes to a node.
   * @param {number} node
   * @param {number} at the node that is shown
   */
  goTo(node, at = this.game.at) {
    this.target = node;
    if (this.asked === null) this.ask(at);
  }

  /** @param {number} at the node that is shown */
  ask(at) {
    if (this.target === null || this.target === at) {
      this.forget();
      return;
    }
    this.asked = this.target;
    this.request(this.target);
  }

  /**
   * Takes note of the node that is shown now.
   * @param {number} at
   */
  shown(at) {
    if (this.asked !== null && !this.game.nodes[this.asked]) this.forget();
    if (this.asked === null || this.asked !== at) return;
    this.asked = null;
    this.ask(at);
  }

  /** Gives up steps that nobody answered: the game has changed, or the server refused. */
  forget() {
    this.target = null;
    this.asked = null;
  }
}
