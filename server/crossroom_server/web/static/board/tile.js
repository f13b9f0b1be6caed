// How a tile looks, and what it is called.

import { el } from "../core/dom.js";
import { plural, t } from "../core/i18n.js";

/** Draws a tile: a letter, and its points if it has any. Names of buttons and squares say the same. */
export function tileFace(letter, points, extra = "") {
  const size = [...letter].length;
  const length = size > 2 ? "three-letters" : size > 1 ? "two-letters" : "";
  const width = points > 9 ? "two-digits" : "";
  return el(
    "span",
    { class: `tile ${length} ${width} ${extra}`, "aria-hidden": "true" },
    el("b", letter),
    points ? el("i", { "data-text": String(points) }) : null,
  );
}

/** Draws a tile of the rack; a blank shows nothing. */
export const rackFace = (kind, points) =>
  kind === "?" ? tileFace("", 0, "blank") : tileFace(kind, points);

/** Names a tile: `Q, 10 points`. */
export function tileName(kind, points) {
  if (kind === "?") return t("blank");
  return t("{tile}, {points}", {
    tile: kind,
    points: plural("{count} point", "{count} points", points),
  });
}
