// The websocket to the server: requests and their answers, notices, and reconnecting.

import { t } from "./i18n.js";

export const UNSENT = t("No connection; nothing was sent. It comes back by itself.");

const PROTOCOL = "json.v1.crossroom";
const CLOSE_REPLACED = 4001; // another tab has the seat
const CLOSE_KICKED = 4003;
const CLOSE_POLICY = 1008;
const MAX_RETRY_MS = 30_000; // between two attempts
const PROBE_AFTER_MS = 25_000; // of silence
const PROBE_EVERY_MS = 5_000;
const PONG_TIMEOUT_MS = 5_000;
const OPEN_TIMEOUT_MS = 20_000;
/** Notices that concern the room even if they answer a request. */
const ROOM_NOTICES = new Set(["welcome", "name", "live", "event", "turn", "state"]);

/** Strips marks and numbers from lines of the server: what a person reads is left. */
export const plainText = (lines) => lines.map((line) => line.replace(/^[*:=?!|.-] (#\d+ )?/, ""));

/**
 * A connection that reopens itself, until another tab takes the seat or the server refuses it.
 *
 * `onNotice(notice)` gets whatever is not only the answer to a request. `onState(state, reason)` gets
 * `open`, `lost`, `elsewhere` (another tab has the seat) or `closed`. `onOpen()` is called for each new
 * websocket, and must ask for the seat before it awaits anything: the server answers in order, so that
 * requests made meanwhile come from the seat. It resolves to false if the connection must be tried later.
 */
export class Connection {
  constructor(url, { onNotice, onOpen, onState }) {
    Object.assign(this, { url, onNotice, onOpen, onState });
    this.state = "lost";
    this.socket = null;
    this.failures = 0;
    this.pending = new Map();
    this.lastId = 0;
    this.lastHeard = 0;
    this.retryTimer = 0;
    this.pongTimer = 0;
    const wake = () => this.wake();
    document.addEventListener("visibilitychange", wake);
    for (const event of ["online", "offline", "pageshow"]) window.addEventListener(event, wake);
    setInterval(() => this.probe(), PROBE_EVERY_MS);
  }

  open() {
    clearTimeout(this.retryTimer);
    this.drop();
    this.state = "opening";
    this.lastHeard = Date.now();
    // Not every browser sends its language here, as it does for a page.
    const language = document.documentElement.lang;
    const socket = new WebSocket(`${this.url}?language=${language}&wording=page`, [PROTOCOL]);
    this.socket = socket;
    const listen = (type, handle) =>
      socket.addEventListener(type, (event) => this.socket === socket && handle(event));
    listen("open", () => this.handleOpen());
    listen("message", (event) => this.receive(JSON.parse(event.data)));
    listen("close", (event) => this.handleClose(event));
  }

  /**
   * Sends a command; resolves to `{notices, refused}`, or to `{lost: true}` if the connection broke,
   * with `sent: true` if the server may have carried it out.
   */
  request(command) {
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.resolve({ lost: true, notices: [] });
    const id = String(++this.lastId);
    this.socket.send(JSON.stringify({ ...command, id }));
    return new Promise((resolve) => this.pending.set(id, { resolve, notices: [] }));
  }

  async handleOpen() {
    const { socket } = this;
    this.lastHeard = Date.now();
    this.setState("open");
    const isIn = await this.onOpen();
    if (this.socket !== socket) return;
    if (isIn) this.failures = 0;
    else this.scheduleRetry();
  }

  receive(notice) {
    this.markAlive();
    const request = this.pending.get(notice.id);
    if (request && (notice.tell === "done" || notice.tell === "refused")) {
      this.pending.delete(notice.id);
      const refused = notice.tell === "refused" ? notice : null;
      request.resolve({ notices: request.notices, refused });
      return;
    }
    request?.notices.push(notice);
    if (!request || ROOM_NOTICES.has(notice.tell)) this.onNotice(notice);
  }

  handleClose({ code, reason }) {
    this.drop();
    if (code === CLOSE_REPLACED) this.setState("elsewhere");
    else if (code === CLOSE_KICKED || (code === CLOSE_POLICY && reason))
      this.setState("closed", reason);
    else this.scheduleRetry();
  }

  /** Tries again: soon at first, then ever less often, and at a random moment. */
  scheduleRetry() {
    this.drop();
    const longest = Math.min(MAX_RETRY_MS, 500 * 2 ** this.failures++);
    this.setState("lost");
    this.retryTimer = setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
  }

  /** Reconnects or probes at once, as the device woke up or changed its network. */
  wake() {
    if (document.visibilityState !== "visible" || ["elsewhere", "closed"].includes(this.state))
      return;
    const isStuck = this.state === "opening" && Date.now() - this.lastHeard > PONG_TIMEOUT_MS;
    if (this.state === "lost" || isStuck) this.open();
    else this.probe(0);
  }

  /** Pings after *silence* ms without a message; reconnects if no answer comes. */
  probe(silence = PROBE_AFTER_MS) {
    const silent = Date.now() - this.lastHeard;
    if (this.state === "opening" && silent > OPEN_TIMEOUT_MS) this.scheduleRetry();
    if (this.state !== "open" || this.pongTimer || silent < silence) return;
    this.pongTimer = setTimeout(() => {
      this.setState("lost");
      this.open();
    }, PONG_TIMEOUT_MS);
    this.request({ do: "ping" });
  }

  /** Any message shows that the connection works. */
  markAlive() {
    this.lastHeard = Date.now();
    this.cancelProbe();
  }

  cancelProbe() {
    clearTimeout(this.pongTimer);
    this.pongTimer = 0;
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.cancelProbe();
    for (const { resolve } of this.pending.values())
      resolve({ lost: true, sent: true, notices: [] });
    this.pending.clear();
  }

  setState(state, reason = "") {
    this.state = state;
    this.onState(state, reason);
  }
}
