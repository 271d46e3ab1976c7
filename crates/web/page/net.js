// One socket to the server. The desk lives there: what is shown here can be thrown away at any time.

/// The name of this browser's desk, the same in every tab.
export function deskName() {
  let name = localStorage.getItem("desk");
  if (!/^[a-z0-9]{1,40}$/.test(name ?? "")) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    name = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("desk", name);
  }
  return name;
}

export class Net {
  constructor(hear, tell) {
    this.hear = hear; // what the server says
    this.tell = tell; // "open", "lost" or "too-large"
    this.corner = "play";
    this.waiting = [];
    this.pause = 250;
  }

  open(corner) {
    this.corner = corner;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 250;
      socket.send(JSON.stringify({ do: "hello", desk: deskName(), corner: this.corner }));
      for (const wish of this.waiting.splice(0)) socket.send(wish);
      this.tell("open");
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.tell(event.code === 1009 ? "too-large" : "lost");
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, 4000);
    };
  }

  show(corner) {
    this.corner = corner;
    this.wish({ do: "show", corner });
  }

  wish(wish) {
    const text = JSON.stringify(wish);
    if (text.length > 1_900_000) this.tell("too-large");
    else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.waiting.length < 50) this.waiting.push(text); // sent as soon as the server is back
  }
}
