// The line below the board, and what screen readers are told.

import { el, find, liveRegion, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";

const TOGETHER_MS = 120; // a move and whose turn it is then are told as one
const MAX_ANNOUNCED = 30;
const announcements = liveRegion();
document.body.append(announcements);

let waiting = [];
let timer = 0;

/** Has a screen reader read a text, with what else happens at that moment. */
export function announce(text) {
  if (!text) return;
  waiting.push(text);
  timer ||= setTimeout(tell, TOGETHER_MS);
}

/** Appends to the region, so that nothing is gone before it is read; a dialog hides all but its own. */
function tell() {
  const text = waiting.map((one) => (/[.!?\u2026]$/.test(one) ? one : `${one}.`)).join(" ");
  waiting = [];
  timer = 0;
  const region = find("dialog[open] > [aria-live]") ?? announcements;
  region.append(el("p", text));
  while (region.children.length > MAX_ANNOUNCED) region.firstChild.remove();
}

export class StatusLine {
  constructor(state, preview) {
    this.state = state;
    this.preview = preview;
    this.message = null; // until something is done or happens
    this.isNews = false; // the message is the outcome of a challenge, not an error
    this.isSending = false;
    this.root = el("p.status");
  }

  /** Shows a refusal or an error, even if the line was out of sight, and reads it out. */
  show(text) {
    this.message = text;
    this.isNews = false;
    announce(text);
    this.draw();
    requestAnimationFrame(() => this.root.scrollIntoView({ block: "nearest" }));
  }

  /** Shows what came of a challenge as a banner, until something is done. */
  tell(text) {
    this.message = text;
    this.isNews = true;
    this.draw();
  }

  clear() {
    this.message = null;
  }

  setSending(isSending) {
    this.isSending = isSending;
    this.draw();
  }

  get kind() {
    if (this.message && this.isNews) return "news";
    if (this.message || this.preview.isRefused) return "bad";
    return this.state.isMyTurn ? "mine" : null;
  }

  draw() {
    const text = this.message ?? (this.preview.text || this.state.turnText);
    setText(this.root, this.isSending ? t("Sending\u2026") : text);
    setAttribute(this.root, "data-kind", this.kind);
  }
}
