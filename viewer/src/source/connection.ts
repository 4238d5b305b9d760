// The WebSocket to the server, with retries.

const RETRY_MS = [500, 1000, 2000, 4000];
/** Close codes with which a server says goodbye: the run is over or it shuts down. */
const ENDED = [1000, 1001];

export interface ConnectionEvents {
  onText: (message: { type: string }) => void;
  onBinary: (data: ArrayBuffer) => void;
  onOpen: () => void;
  /** `ended`: the server closed on purpose and is not asked again. */
  onClose: (ended: boolean) => void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private failures = 0;

  constructor(
    private readonly url: string,
    private readonly events: ConnectionEvents,
  ) {
    this.connect();
  }

  /** Sends if the connection is up; returns whether it was. */
  send(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.failures = 0;
      this.events.onOpen();
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.events.onText(JSON.parse(event.data));
      else this.events.onBinary(event.data);
    };
    socket.onclose = (event) => {
      const ended = event.wasClean && ENDED.includes(event.code);
      this.events.onClose(ended);
      if (ended) return;
      const wait = RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)];
      setTimeout(() => this.connect(), wait);
    };
  }
}

/** The socket that belongs to the page's own address, with its token. */
export function socketUrl(page: Location): string {
  const token = new URLSearchParams(page.search).get("token");
  const scheme = page.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${page.host}/ws${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}
