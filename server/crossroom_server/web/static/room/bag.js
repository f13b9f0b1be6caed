// The bag, and the tiles that we have not seen.

import { el, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";

export class BagPanel {
  constructor(state) {
    this.state = state;
    this.root = el("section.panel.bag");
  }

  draw() {
    const { game, isPlaying } = this.state;
    setAttribute(this.root, "hidden", !isPlaying);
    if (!isPlaying) return;
    this.root.replaceChildren(
      el("h2", t("Bag {bag}", game)),
      el("p.note", t("Tiles you have not seen")),
      unseenTiles(this.state),
    );
  }
}

/** Lists how many tiles of each kind we have not seen. */
export function unseenTiles({ game, rules }) {
  const cells = rules.tiles.kinds
    .filter(({ count }) => count)
    .map(({ tile }) => {
      const left = game.unseen.filter((one) => one === tile).length;
      return el(
        "li",
        { "data-none": !left, "data-long": [...tile].length > 1 },
        el("b", tile === "?" ? "\u25a1" : tile),
        el("span", String(left)),
        el("span.sr-only", tile === "?" ? t("blank") : tile),
      );
    });
  return el("ul.unseen", ...cells);
}
