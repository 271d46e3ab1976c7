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
  const stored = localStorage.getItem("session") ?? "";
  const name = /^[a-z0-9]{1,40}$/.test(stored) ? stored : randomName();
  localStorage.setItem("session", name);
  return name;
}

/** The code of the invitation that this page was opened with, if there was one. */
export function guestCode() {
  return sessionStorage.getItem("guest");
}

/**
 * Takes over what an address invites to: the session of another device of the same user, or a place
 * at somebody's board. Gives whether it was such an address.
 * @param {string} hash
 */
export function acceptInvitation(hash) {
  const [, kind, name = ""] = /^#(session|guest)=([a-z0-9]{1,40})$/.exec(hash) ?? [];
  if (kind === "session") localStorage.setItem("session", name);
  else if (kind === "guest") sessionStorage.setItem("guest", name);
  return kind !== undefined;
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
      const hello = { session: sessionName(), tab: this.tab, guest: guestCode() };
      socket.send(JSON.stringify(hello));
      for (const text of this.waiting.splice(0)) socket.send(text);
      this.onState("open");
    };
    socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      // Nobody is at home under an invitation any more: the page shows its own games again.
      if (event.code === 1008 && guestCode()) sessionStorage.removeItem("guest");
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
    // Japanese takes three bytes where the length of the text counts one.
    if (text.length > 600_000 && new Blob([text]).size > 1_900_000) this.onState("too-large");
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.waiting.length < 50) this.waiting.push(text); // sent as soon as the server is back
  }
}
