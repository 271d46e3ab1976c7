// One WebSocket to the server. The session lives there: everything that is shown here can be thrown
// away at any time.

/**
 * @typedef {import("./protocol.js").Hello} Hello
 * @typedef {import("./protocol.js").Request} Request
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 * @typedef {import("./protocol.js").Tab} Tab
 * @typedef {"open" | "lost" | "too-large"} ConnectionState
 */

/** The name of this browser's session, the same in every tab of the browser. */
export function sessionName() {
  // Earlier versions called it a desk.
  const stored = localStorage.getItem("session") ?? localStorage.getItem("desk") ?? "";
  const name = /^[a-z0-9]{1,40}$/.test(stored) ? stored : randomName();
  localStorage.setItem("session", name);
  return name;
}

function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The address of the socket: encrypted if the page is.
 * @param {{ protocol: string, host: string }} page
 */
export function socketAddress({ protocol, host }) {
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/socket`;
}

export class Connection {
  /**
   * @param {Tab} tab the tab that is shown first
   * @param {(message: ServerMessage) => void} onMessage
   * @param {(state: ConnectionState) => void} onState
   */
  constructor(tab, onMessage, onState) {
    this.tab = tab;
    this.onMessage = onMessage;
    this.onState = onState;
    /** @type {string[]} */
    this.waiting = [];
    this.delay = 250;
    this.socket = this.connect();
  }

  connect() {
    const socket = new WebSocket(socketAddress(location));
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      /** @type {Hello} */
      const hello = { session: sessionName(), tab: this.tab };
      socket.send(JSON.stringify(hello));
      for (const text of this.waiting.splice(0)) socket.send(text);
      this.onState("open");
    };
    socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.onState(event.code === 1009 ? "too-large" : "lost");
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 4000);
    };
    return socket;
  }

  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    this.send({ show: tab });
  }

  /** @param {Request} request */
  send(request) {
    const text = JSON.stringify(request);
    if (text.length > 1_900_000) this.onState("too-large");
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.waiting.length < 50) this.waiting.push(text); // sent as soon as the server is back
  }
}
