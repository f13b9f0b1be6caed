// The room's log: moves and chat, in the server's words, and a line to type.

import { plainText } from "../core/connection.js";
import { button, el, find, form, select, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";

const MAX_LINES = 500; // that are kept on the page
const NEAR_END_PX = 40;
const HALF = 0.5; // of the log in sight
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/;
const SHOWN = [
  ["all", t("All")],
  ["move", t("Moves")],
  ["chat", t("Talk")],
];

export class Log {
  /** *send(text)* resolves to false if a text could not be sent. */
  constructor(send) {
    this.seen = new Set();
    this.isAtEnd = true; // and stays there, unless somebody reads further up
    this.list = el("div.log", {
      role: "log",
      "aria-live": "off",
      "aria-label": t("What happened"),
      tabindex: "0",
      scroll: () => this.size === this.scrolledSize && (this.isAtEnd = this.isNearEnd),
    });
    new ResizeObserver(() => {
      this.scrolledSize = this.size; // turning a phone scrolls, too, before this is called
      this.scrollToEnd();
    }).observe(this.list);
    const change = (event) => setAttribute(this.list, "data-only", event.target.value);
    const filter = select(SHOWN, "all", { "aria-label": t("What the log shows"), change });
    const header = el("header", el("h2", t("Talk")), filter);
    this.root = el("section.panel.log-panel", header, this.list, chatForm(send));
  }

  /** Adds an entry where it belongs; returns false if it is there already. */
  addEntry(seq, kind, lines) {
    if (this.seen.has(seq)) return false;
    this.seen.add(seq);
    const type = { said: "chat", moved: "move" }[kind] ?? "other";
    const line = el("p", { "data-kind": type, "data-seq": seq }, ...withSpeaker(lines, type));
    const before = [...this.list.children].findLast((one) => Number(one.dataset.seq) < seq);
    if (before) before.after(line);
    else this.list.prepend(line);
    this.scrollToEnd();
    while (this.list.children.length > MAX_LINES) this.list.firstChild.remove();
    return true;
  }

  /** Adds what is no entry of the log at its end. */
  addNote(lines) {
    const seq = this.list.lastChild?.dataset.seq ?? "0";
    const text = plainText(lines).join(" \u00b7 ");
    this.list.append(el("p", { "data-kind": "note", "data-seq": seq }, text));
    this.scrollToEnd();
  }

  get size() {
    return `${this.list.clientWidth} ${this.list.clientHeight}`;
  }

  get isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  scrollToEnd() {
    if (this.isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}

/** Shows what was said where the log is out of sight, as on a phone; a tap goes there. */
export class TalkLine {
  constructor(log, onChange) {
    this.count = 0;
    this.log = log;
    this.onChange = onChange;
    this.root = button("", () => this.goThere(), { class: "talk-line", hidden: true });
    const watch = (entries) => {
      this.isLogSeen = entries.at(-1).intersectionRatio >= HALF;
      if (this.isLogSeen) this.clear();
    };
    new IntersectionObserver(watch, { threshold: HALF }).observe(log.root);
  }

  show(lines) {
    if (this.isLogSeen && !document.hidden) return;
    this.count += 1;
    const text = plainText(lines).join(" ");
    this.root.replaceChildren(el("b", String(this.count)), el("span", text));
    setAttribute(this.root, "hidden", this.isLogSeen);
    this.onChange();
  }

  clear() {
    if (!this.count || document.hidden) return;
    this.count = 0;
    setAttribute(this.root, "hidden", true);
    this.onChange();
  }

  goThere() {
    this.log.root.scrollIntoView();
    find("input", this.log.root).focus({ preventScroll: true });
    this.clear();
  }
}

function chatForm(send) {
  const input = el("input", {
    name: "text",
    maxlength: "500",
    autocomplete: "off",
    "aria-label": t("Say something to the room"),
    placeholder: t("Say something\u2026"),
  });
  const submit = async () => {
    const text = input.value.trim();
    if (!text) return;
    input.value = ""; // at once: over a slow connection it would be sent twice
    if (!(await send(text)) && !input.value) input.value = text;
  };
  return form(submit, { class: "chat pair" }, input, el("button", { type: "submit" }, t("Send")));
}

/** Makes links of the addresses in a text. */
function withLinks(text) {
  return text.split(ADDRESS).map((part, at) => {
    if (at % 2 === 0) return part;
    return el("a", { href: part, target: "_blank", rel: "nofollow" }, part);
  });
}

/** Sets the speaker of a chat line apart, and links the addresses in it. */
function withSpeaker(lines, type) {
  const text = plainText(lines).join(" ");
  const colon = type === "chat" && !text.startsWith("* ") ? text.indexOf(": ") : -1;
  if (type !== "chat") return [text];
  if (colon < 0) return withLinks(text);
  return [el("b", text.slice(0, colon)), ...withLinks(text.slice(colon))];
}
