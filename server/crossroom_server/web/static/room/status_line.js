// The line below the board, and what screen readers are told.

import { el, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";

const announcements = el("div.sr-only", { "aria-live": "polite", role: "status" });
document.body.append(announcements);

/** Has a screen reader read a text. */
export function announce(text) {
  announcements.replaceChildren(el("p", text));
}

export class StatusLine {
  constructor(state, preview) {
    this.state = state;
    this.preview = preview;
    this.message = null; // until something is done or happens
    this.isSending = false;
    this.root = el("p.status");
  }

  /** Shows a refusal or an error, even if the line was out of sight, and reads it out. */
  show(text) {
    this.message = text;
    announce(text);
    this.draw();
    requestAnimationFrame(() => this.root.scrollIntoView({ block: "nearest" }));
  }

  clear() {
    this.message = null;
  }

  setSending(isSending) {
    this.isSending = isSending;
    this.draw();
  }

  draw() {
    const text = this.message ?? (this.preview.text || this.state.turnText);
    setText(this.root, this.isSending ? t("Sending\u2026") : text);
    const isBad = this.message || this.preview.isRefused;
    setAttribute(this.root, "data-kind", isBad ? "bad" : this.state.isMyTurn ? "mine" : null);
  }
}
