// Dialogs that ask for a letter, or for tiles.

import { openDialog } from "../core/dialogs.js";
import { button, buttonRow, el, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { rackFace, tileName } from "./tile.js";

const LEAST_RACK = 7; // tiles whose room is kept, so that fewer are not drawn larger

/** Asks which letter a blank stands for. */
export function chooseLetter(letters, isCurrent) {
  const fill = (done) => {
    const keydown = (event) => {
      const letter = letters.find((one) => one === event.key.toUpperCase());
      if (letter && !event.ctrlKey && !event.metaKey && !event.altKey) done(letter);
    };
    const keys = letters.map((letter) => button(letter, () => done(letter)));
    return [el("div.letter-keys", { keydown }, ...keys)];
  };
  return openDialog(t("The blank stands for\u2026"), fill, { isCurrent });
}

/** Asks which tiles to exchange; resolves to a list of them. */
export function chooseTiles(tiles, points, isCurrent) {
  let press = () => {};
  const keydown = (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) press(event.key.toUpperCase());
  };
  const fill = (done) => {
    const picked = new Set();
    const finish = () => done(tiles.filter((_, at) => picked.has(at)));
    const exchange = button("", finish, { class: "main" });
    const update = () => {
      const count = picked.size;
      setText(exchange, count ? t("Exchange {count}", { count }) : t("Exchange"));
      exchange.disabled = !count;
    };
    const keys = tiles.map((kind, at) => {
      const value = points.get(kind) ?? 0;
      const toggle = () => {
        if (!picked.delete(at)) picked.add(at);
        key.setAttribute("aria-pressed", String(picked.has(at)));
        update();
      };
      const name = tileName(kind, value);
      const key = button("", toggle, { "aria-pressed": "false", "aria-label": name });
      key.append(rackFace(kind, value));
      return key;
    });
    press = (letter) => {
      const at = tiles.findIndex((kind, one) => kind.toUpperCase() === letter && !picked.has(one));
      const latest = letter === "BACKSPACE" ? [...picked].at(-1) : undefined;
      keys[at < 0 ? latest : at]?.click();
    };
    update();
    const group = { role: "group", "aria-label": t("Your tiles") };
    const rack = el("div.rack.picker", group, ...keys);
    rack.style.setProperty("--size", String(Math.max(tiles.length, LEAST_RACK)));
    return [
      el("p", t("Choose those to put back. You draw as many, and your turn ends. Tap them or type their letters.")),
      rack,
      buttonRow(
        button(t("Cancel"), () => done(null)),
        exchange,
      ),
    ];
  };
  return openDialog(t("Exchange tiles"), fill, { isCurrent, keydown });
}
