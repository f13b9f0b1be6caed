// The line to the server: one object a frame both ways, and a seat that is found again.

import { say } from "./speech.js";

export const UNSENT = say("No connection; nothing was sent. It comes back by itself.");

const PROTOCOL = "json.v1.crossroom";
const REPLACED = 4001;
const SENT_AWAY = 4003;
const POLICY = 1008;
const LONGEST_WAIT = 30_000; // ms between two attempts
const SIGN_OF_LIFE = 25_000; // ms without a word until the server is asked for one
const PATIENCE = 5_000; // ms for its answer
const OPENING = 20_000; // ms until a line that does not open is tried anew

/**
 * A connection that comes back by itself, until another tab has the seat.
 *
 * `hear(notice)` gets every notice, and `stand(state, why)` hears how the line is: `open`, `lost`,
 * `elsewhere` (another tab has the seat) or `closed`. `greet()` is called on each new connection, and asks
 * for the seat before it waits for anything: answers come in the order of questions, so whatever else
 * is asked on that connection is asked by who has the seat. It resolves to false if it must be tried later.
 */
export class Line {
  constructor(address, { hear, greet, stand }) {
    Object.assign(this, { address, hear, greet, stand });
    this.state = "lost";
    this.failures = 0;
    this.asked = new Map();
    this.labels = 0;
    this.heard = 0;
    this.retry = 0;
    this.again = this.again.bind(this);
    document.addEventListener("visibilitychange", this.again);
    window.addEventListener("online", this.again);
    window.addEventListener("offline", this.again);
    window.addEventListener("pageshow", this.again);
    setInterval(() => this.feel(), 5_000);
  }

  open() {
    clearTimeout(this.retry);
    this.drop();
    this.state = "opening";
    this.heard = Date.now();
    // Not every browser tells here, as it does for a page, which language is wanted.
    const language = document.documentElement.lang;
    const socket = new WebSocket(`${this.address}?language=${language}`, [PROTOCOL]);
    this.socket = socket;
    const mine = (listen) => (event) => this.socket === socket && listen(event);
    socket.addEventListener(
      "open",
      mine(() => this.opened()),
    );
    socket.addEventListener(
      "message",
      mine((event) => this.take(JSON.parse(event.data))),
    );
    socket.addEventListener(
      "close",
      mine((event) => this.closed(event)),
    );
  }

  /**
   * Says something; resolves to `{notices, refused}`, or to `{lost: true}` if the line broke, with
   * `sent: true` if nobody knows what came of it.
   */
  ask(command) {
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.resolve({ lost: true, notices: [] });
    const id = String(++this.labels);
    this.socket.send(JSON.stringify({ ...command, id }));
    return new Promise((answer) => this.asked.set(id, { answer, notices: [] }));
  }

  async opened() {
    const { socket } = this;
    this.heard = Date.now();
    this.turn("open");
    const isIn = await this.greet();
    if (this.socket !== socket) return;
    if (isIn) this.failures = 0;
    else this.wait();
  }

  take(notice) {
    this.heard = Date.now();
    this.felt();
    const waiting = this.asked.get(notice.id);
    if (waiting && (notice.tell === "done" || notice.tell === "refused")) {
      this.asked.delete(notice.id);
      waiting.answer({
        notices: waiting.notices,
        refused: notice.tell === "refused" ? notice : null,
      });
    } else if (waiting) {
      waiting.notices.push(notice);
    }
    this.hear(notice);
  }

  closed({ code, reason }) {
    this.drop();
    if (code === REPLACED) this.turn("elsewhere");
    else if (code === SENT_AWAY || (code === POLICY && reason)) this.turn("closed", reason);
    else this.wait();
  }

  /** Tries again: soon at first, then ever more rarely, and not all at the same moment. */
  wait() {
    this.drop();
    const longest = Math.min(LONGEST_WAIT, 500 * 2 ** this.failures++);
    this.turn("lost");
    this.retry = setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
  }

  /** The device woke up, or has another network: tries at once, or asks whether the line holds. */
  again() {
    if (
      document.visibilityState !== "visible" ||
      this.state === "elsewhere" ||
      this.state === "closed"
    )
      return;
    const opens = this.state === "opening" && Date.now() - this.heard > PATIENCE;
    if (this.state === "lost" || opens) this.open();
    else this.feel(0);
  }

  /** Asks for a sign of life after a silence; without one the line is dead, whatever it says. */
  feel(silence = SIGN_OF_LIFE) {
    const silent = Date.now() - this.heard;
    if (this.state === "opening" && silent > OPENING) this.wait();
    if (this.state !== "open" || this.feeling || silent < silence) return;
    this.feeling = setTimeout(() => {
      this.turn("lost");
      this.open();
    }, PATIENCE);
    this.ask({ do: "ping" });
  }

  /** Any word is a sign of life. */
  felt() {
    clearTimeout(this.feeling);
    this.feeling = 0;
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.felt();
    for (const { answer } of this.asked.values()) answer({ lost: true, sent: true, notices: [] });
    this.asked.clear();
  }

  turn(state, why = "") {
    this.state = state;
    this.stand(state, why);
  }
}
