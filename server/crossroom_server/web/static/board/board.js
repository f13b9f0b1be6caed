// The board: squares, the tiles on them, and the cursor that letters are typed at.

import { el, find, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { columnName, squareName } from "./tentative_play.js";
import { tileFace, tileName } from "./tile.js";

/** How a layout is drawn: class, text on the square, name. */
const PREMIUMS = {
  "'": ["letter2", t("{times}L", { times: 2 }), t("double letter")],
  '"': ["letter3", t("{times}L", { times: 3 }), t("triple letter")],
  "^": ["letter4", t("{times}L", { times: 4 }), t("quadruple letter")],
  "-": ["word2", t("{times}W", { times: 2 }), t("double word")],
  "*": ["word2 start", "\u2605", t("start, double word")],
  "=": ["word3", t("{times}W", { times: 3 }), t("triple word")],
  "~": ["word4", t("{times}W", { times: 4 }), t("quadruple word")],
};
const LARGE = 17; // columns; beyond them points have no room on a phone

export class Board {
  /** *callbacks*: `tapSquare(row, col)`, `onChange()`. */
  constructor(play, callbacks) {
    this.play = play;
    this.callbacks = callbacks;
    this.cells = [];
    this.drawn = new Map(); // what each cell shows
    this.tabStop = null; // the square that Tab leads to
    this.root = find(".board");
    this.root.addEventListener("click", (event) => {
      const at = this.squareOf(event.target);
      if (at) this.callbacks.tapSquare(...at);
    });
    this.isByKeyboard = false; // whether the last thing done was a key
    window.addEventListener("keydown", () => (this.isByKeyboard = true), { capture: true });
    window.addEventListener("pointerdown", () => (this.isByKeyboard = false), { capture: true });
    this.root.addEventListener("focusin", (event) => this.moveCursorTo(event.target));
  }

  /** Makes the squares, unless the page came with this layout or shows it already. */
  setLayout(rows) {
    const layout = rows.join("\n");
    if (this.layout === layout) return;
    this.layout = layout;
    this.drawn.clear();
    this.premiums = rows.map((row) => [...row].map((symbol) => PREMIUMS[symbol] ?? null));
    if (this.root.dataset.layout !== layout) this.build(rows[0].length);
    this.root.dataset.layout = layout;
    this.cells = [...this.root.querySelectorAll("[role=row]")].map((row) => [
      ...row.querySelectorAll("[role=gridcell]"),
    ]);
  }

  build(width) {
    this.root.style.setProperty("--cols", String(width));
    setAttribute(this.root, "data-large", width > LARGE);
    const names = Array.from({ length: width }, (_, col) => el("span", columnName(col)));
    const heads = el("div.heads", { "aria-hidden": "true" }, el("span"), ...names);
    const rows = this.premiums.map((premiums, row) => {
      const cells = premiums.map((premium, col) =>
        el("div", {
          class: `square ${premium ? premium[0] : ""}`,
          role: "gridcell",
          tabindex: "-1",
          "data-at": squareName(row, col),
        }),
      );
      const side = el("span.side", { "aria-hidden": "true" }, String(row + 1));
      return el("div", { role: "row" }, side, ...cells);
    });
    this.root.replaceChildren(el("div", { role: "presentation" }, heads), ...rows);
  }

  /** Draws the squares that changed. *latest* names those of the latest play, as `8H`. */
  draw(points, latest, isPlaying) {
    const { cursor } = this.play;
    const { row, col } = cursor ?? this.middle;
    if (this.tabStop !== this.cells[row][col]) {
      this.tabStop?.setAttribute("tabindex", "-1");
      this.tabStop = this.cells[row][col];
      this.tabStop.setAttribute("tabindex", "0");
    }
    this.cells.forEach((cells, row) =>
      cells.forEach((cell, col) => {
        const at = squareName(row, col);
        const isHere = this.play.hasCursorAt(row, col);
        const shown = {
          tentative: this.play.tileAt(row, col),
          fixed: this.play.board[row]?.[col],
          isLatest: latest.has(at),
          direction: isHere ? (cursor.across ? "across" : "down") : null,
        };
        const key = JSON.stringify(shown);
        if (this.drawn.get(at) === key) return;
        this.drawn.set(at, key);
        this.drawSquare(cell, at, shown, this.premiums[row][col], points);
      }),
    );
    setAttribute(this.root, "data-playing", isPlaying);
  }

  drawSquare(cell, at, { tentative, fixed, isLatest, direction }, premium, points) {
    const name = [at];
    if (tentative || fixed) {
      const { letter } = tentative ?? fixed;
      const isBlank = tentative ? tentative.kind === "?" : fixed.blank;
      const value = isBlank ? 0 : (points.get(letter) ?? 0);
      const kind = tentative ? "tentative" : isLatest ? "latest" : "";
      cell.replaceChildren(tileFace(letter, value, isBlank ? `${kind} blank` : kind));
      name.push(isBlank ? t("{letter}, blank", { letter }) : tileName(letter, value));
      if (tentative) name.push(t("not sent yet"));
      else if (isLatest) name.push(t("of the latest play"));
    } else if (premium) {
      if (!find(".premium", cell))
        cell.replaceChildren(el("span.premium", { "data-text": premium[1] }));
      name.push(premium[2]);
    } else {
      cell.replaceChildren();
      name.push(t("empty"));
    }
    setAttribute(cell, "data-cursor", direction);
    setAttribute(cell, "data-tentative", Boolean(tentative));
    setAttribute(cell, "aria-label", name.join(", "));
    setAttribute(cell, "aria-selected", direction ? "true" : null);
  }

  /** Are there so many columns that squares are small on a phone? */
  get isLarge() {
    return this.cells[0].length > LARGE;
  }

  get middle() {
    const [rows, cols] = [this.cells.length, this.cells[0]?.length ?? 0];
    return { row: Math.floor(rows / 2), col: Math.floor(cols / 2) };
  }

  hasSquare(row, col) {
    return Boolean(this.cells[row]?.[col]);
  }

  /** Finds the square of an element, as `[row, col]`; null if it is in none. */
  squareOf(element) {
    const cell = element?.closest?.("[role=gridcell]");
    if (!cell || !this.root.contains(cell)) return null;
    const { at } = cell.dataset;
    return [Number.parseInt(at, 10) - 1, at.charCodeAt(at.length - 1) - 65];
  }

  focus() {
    const { row, col } = this.play.cursor ?? this.middle;
    this.cells[row]?.[col]?.focus({ preventScroll: true });
  }

  /** Moves the cursor to where the keyboard has brought the focus. */
  moveCursorTo(target) {
    const at = this.squareOf(target);
    if (!at || !this.isByKeyboard) return; // a page that loads has the focus by itself
    if (this.play.hasCursorAt(...at)) return;
    this.play.setCursor(...at);
    this.callbacks.onChange();
  }
}
