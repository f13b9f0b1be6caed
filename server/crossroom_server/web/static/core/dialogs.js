// Modal dialogs. Each resolves to an answer, and gives the focus back when it closes.

import { button, buttonRow, el, find, form, liveRegion } from "./dom.js";
import { t } from "./i18n.js";

const opened = new Map(); // dialogs with their options

/**
 * Opens a dialog, in place of any other; resolves to what `done(value)` is called with, or to null.
 * @param {string} title
 * @param {(done: (value: any) => void) => any[]} fill  returns what is inside
 * @param {{isCurrent?: () => boolean, onUpdate?: () => void, keydown?: (event: any) => void}} [options]
 *   the first two are called when the game has changed: the dialog closes once `isCurrent` is false
 */
export function openDialog(title, fill, options = {}) {
  if (options.isCurrent?.() === false) return Promise.resolve(null);
  for (const other of document.querySelectorAll("dialog[open]")) other.close();
  const before = document.activeElement;
  return new Promise((resolve) => {
    let answer = null;
    const done = (value) => {
      answer = value;
      dialog.close();
    };
    const close = () => dialog.close();
    const handleClose = () => {
      opened.delete(dialog);
      dialog.remove();
      restoreFocus(before);
      resolve(answer);
    };
    const click = (event) => event.target === dialog && close();
    const dialog = el(
      "dialog",
      { "aria-labelledby": "dialog-title", click, close: handleClose, keydown: options.keydown },
      el(
        "header",
        el("h2", { id: "dialog-title" }, title),
        button("\u00d7", close, { class: "close", "aria-label": t("Close") }),
      ),
      ...fill(done),
      liveRegion(),
    );
    document.body.append(dialog);
    dialog.showModal();
    find("[autofocus]", dialog)?.focus();
    opened.set(dialog, options);
  });
}

/** Brings open dialogs in line with the game, and closes those that are about what is over. */
export function updateDialogs() {
  for (const [dialog, { isCurrent, onUpdate }] of opened) {
    if (isCurrent?.() === false) dialog.close();
    else onUpdate?.();
  }
}

/** Gives the focus back if nothing has it; where its element is gone, to what came instead. */
function restoreFocus(before) {
  if (document.activeElement !== document.body) return;
  before?.focus({ preventScroll: true });
  if (document.activeElement === before) return;
  const instead = find(".waiting-room:not([hidden])") ?? find(".board [tabindex='0']");
  instead?.focus({ preventScroll: true });
}

/** Asks for a confirmation, with *lines* or elements: resolves to true, or null. */
export function confirm(title, lines, yes, { no = t("Cancel"), isCurrent = null } = {}) {
  const fill = (done) => [
    ...lines.map((line) => (typeof line === "string" ? el("p", line) : line)),
    buttonRow(
      button(no, () => done(null)),
      button(yes, () => done(true), { class: "main" }),
    ),
  ];
  return openDialog(title, fill, isCurrent ? { isCurrent } : {});
}

/** Asks for a line: resolves to `{text}`, to `{other: true}` for the second button, or to null. */
export function prompt(title, label, attributes, yes, other = null) {
  const input = el("input", { autocomplete: "off", autofocus: true, ...attributes });
  const fill = (done) => [
    form(
      () => input.value.trim() && done({ text: input.value.trim() }),
      {},
      el("label.field", label, input),
      buttonRow(
        other && button(other, () => done({ other: true })),
        el("button.main", { type: "submit" }, yes),
      ),
    ),
  ];
  return openDialog(title, fill);
}

/** Shows lines of prose. */
export const showLines = (title, lines) =>
  openDialog(title, () => [
    el(
      "div.lines",
      { tabindex: "0", autofocus: true, role: "region", "aria-label": title },
      ...lines.map((line) => el("p", line)),
    ),
  ]);

/** Shows lines that keep their columns; where there is no room for them, *spoken* instead. */
export function showColumns(title, lines, spoken = []) {
  if (spoken.length && matchMedia("(max-width: 40rem)").matches) return showLines(title, spoken);
  return openDialog(title, () => [
    el("pre", { tabindex: "0", role: "region", "aria-label": title }, lines.join("\n")),
  ]);
}
