// Questions that wait for an answer, each a dialog that gives the focus back.

import { el, find } from "./base.js";
import { face, spoken } from "./board.js";
import { say } from "./speech.js";

const asked = new Map(); // open dialogs, and whether what they ask about still is

/**
 * Shows a dialog; resolves to what `done(value)` gets, or to null if it is closed otherwise.
 * @param {string} title
 * @param {(done: (value: any) => void) => any[]} fill  what is inside
 * @param {{keep?: boolean, still?: () => boolean}} [how]  `keep`: it cannot be waved away; `still`:
 *   is there anything left to ask? Once there is not, it closes by itself
 */
export function ask(title, fill, how = {}) {
  if (how.still && !how.still()) return Promise.resolve(null);
  for (const open of document.querySelectorAll("dialog[open]:not([data-keep])")) open.close();
  const before = document.activeElement;
  return new Promise((answer) => {
    let value = null;
    const done = (given) => {
      value = given;
      dialog.close();
    };
    const shut = el(
      "button",
      { type: "button", class: "shut", "aria-label": say("Close"), click: () => dialog.close() },
      "\u00d7",
    );
    const head = el("header", {}, el("h2", { id: "dialog-title" }, title), !how.keep && shut);
    const dialog = el(
      "dialog",
      { "aria-labelledby": "dialog-title", "data-keep": how.keep },
      head,
      ...fill(done),
    );
    dialog.addEventListener("cancel", (event) => how.keep && event.preventDefault());
    dialog.addEventListener(
      "click",
      (event) => event.target === dialog && !how.keep && dialog.close(),
    );
    dialog.addEventListener("close", () => {
      asked.delete(dialog);
      dialog.remove();
      goBack(before);
      answer(value);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("[autofocus]")?.focus();
    if (how.still) asked.set(dialog, how.still);
  });
}

/** Something else is known of the game: closes the dialogs that have nothing left to ask. */
export function review() {
  for (const [dialog, still] of asked) if (!still()) dialog.close();
}

/** The focus goes back, if nobody took it; where its place is gone, to what came instead. */
function goBack(before) {
  if (document.activeElement !== document.body) return;
  before?.focus({ preventScroll: true });
  if (document.activeElement === before) return;
  const instead = find(".lounge:not([hidden])") ?? find(".board [tabindex='0']");
  instead?.focus({ preventScroll: true });
}

export const button = (text, click, kind = "") =>
  el("button", { type: "button", class: kind, click }, text);

/** A question with two answers: true, or null. */
export function confirm(title, lines, yes, { no = say("Cancel"), ...how } = {}) {
  const fill = (done) => [
    ...lines.map((line) => el("p", {}, line)),
    el(
      "div",
      { class: "answers" },
      button(no, () => done(null)),
      button(yes, () => done(true), "main"),
    ),
  ];
  return ask(title, fill, how);
}

/** A question for a line of text; resolves to it, or to null. */
export function text(title, about, input, yes, { other = null, keep = false } = {}) {
  return ask(
    title,
    (done) => {
      const submit = (event) => {
        event.preventDefault();
        if (input.value.trim()) done({ text: input.value.trim() });
      };
      const second = other && button(other, () => done({ other: true }));
      return [
        el(
          "form",
          { submit },
          el("label", { class: "field" }, about, input),
          el(
            "div",
            { class: "answers" },
            second,
            el("button", { type: "submit", class: "main" }, yes),
          ),
        ),
      ];
    },
    { keep },
  );
}

/** Which letter a blank stands for. */
export function blank(letters, still) {
  const fill = (done) => {
    const keys = letters.map((letter) => button(letter, () => done(letter), "key"));
    const grid = el("div", { class: "keys" }, ...keys);
    grid.addEventListener("keydown", (event) => {
      const letter = letters.find((one) => one === event.key.toUpperCase());
      if (letter && !event.ctrlKey && !event.metaKey && !event.altKey) done(letter);
    });
    return [grid];
  };
  return ask(say("The blank stands for\u2026"), fill, { still });
}

/** Which tiles to exchange; resolves to a list of them. */
export function exchange(tiles, points, still) {
  const fill = (done) => {
    const picked = new Set();
    const go = button("", () => done(tiles.filter((_, at) => picked.has(at))), "main");
    const show = () => {
      go.textContent = picked.size
        ? say("Exchange {count}", { count: picked.size })
        : say("Exchange");
      go.disabled = picked.size === 0;
    };
    const keys = tiles.map((tile, at) => {
      const key = el("button", {
        type: "button",
        "aria-pressed": String(picked.has(at)),
        "aria-label": spoken(tile, points.get(tile) ?? 0),
        click: () => {
          if (!picked.delete(at)) picked.add(at);
          key.setAttribute("aria-pressed", String(picked.has(at)));
          show();
        },
      });
      key.append(
        face(tile === "?" ? "" : tile, points.get(tile) ?? 0, tile === "?" ? "blank" : ""),
      );
      return key;
    });
    show();
    const rack = el(
      "div",
      { class: "rack picker", role: "group", "aria-label": say("Your tiles") },
      ...keys,
    );
    rack.style.setProperty("--size", String(Math.max(tiles.length, 7)));
    return [
      el("p", {}, say("Choose those to put back. You draw as many, and your turn ends.")),
      rack,
      el(
        "div",
        { class: "answers" },
        button(say("Cancel"), () => done(null)),
        go,
      ),
    ];
  };
  return ask(say("Exchange tiles"), fill, { still });
}

/** Lines to read. */
export function read(title, lines) {
  return ask(title, () => [
    el(
      "div",
      { class: "lines", tabindex: "0", autofocus: true, role: "region", "aria-label": title },
      ...lines.map((line) => el("p", {}, line)),
    ),
  ]);
}

/** A drawing of letters, row by row. */
export function picture(title, lines) {
  return ask(title, () => [
    el("pre", { tabindex: "0", role: "region", "aria-label": title }, lines.join("\n")),
  ]);
}
