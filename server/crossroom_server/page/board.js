// The board: squares, the tiles on them, and a cursor that letters are typed at.

import { el, find, set } from "./base.js";
import { square } from "./compose.js";
import { say, several } from "./speech.js";

/** How a layout is drawn: class, text on the square, name. */
const PREMIUMS = {
  "'": ["letter2", say("{times}L", { times: 2 }), say("double letter")],
  '"': ["letter3", say("{times}L", { times: 3 }), say("triple letter")],
  "^": ["letter4", say("{times}L", { times: 4 }), say("quadruple letter")],
  "-": ["word2", say("{times}W", { times: 2 }), say("double word")],
  "*": ["word2 start", "\u2605", say("start, double word")],
  "=": ["word3", say("{times}W", { times: 3 }), say("triple word")],
  "~": ["word4", say("{times}W", { times: 4 }), say("quadruple word")],
};
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The letters of a tile: LL of L·L. */
const bare = (tile) => tile.replace(/\P{L}/gu, "");

/** A tile as it looks anywhere: the letter, and its points where it has any. What is drawn is no text: names say it. */
export function face(letter, points, kind = "") {
  const size = [...letter].length;
  const long = `${size > 2 ? " longer" : size > 1 ? " long" : ""}${points > 9 ? " worthy" : ""}`;
  const value = points ? el("i", { "data-text": String(points) }) : null;
  return el(
    "span",
    { class: `tile${long} ${kind}`, "aria-hidden": "true" },
    el("b", {}, letter),
    value,
  );
}

/** What a tile is called: `Q, 10 points`. */
export function spoken(tile, points) {
  if (tile === "?") return say("blank");
  return say("{tile}, {points}", {
    tile,
    points: several("{count} point", "{count} points", points),
  });
}

export class Board {
  /** *act* has what the hands do: `tap(row, col)`, `send()`, `recall()`, `changed()`, `say(text)`, `letters()` for a blank. */
  constructor(composition, act) {
    this.composition = composition;
    this.act = act;
    this.cells = [];
    this.shown = [];
    this.typed = null;
    this.home = null; // the square that Tab leads to
    this.root = find(".board");
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("click", (event) => {
      const at = this.where(event.target);
      if (at) this.act.tap(...at);
    });
    this.root.addEventListener("focusin", (event) => this.follow(event.target));
  }

  /** Makes the squares, if the board is another one than before, and than the page came with. */
  lay(layout) {
    const drawn = layout.join("\n");
    if (this.layout === drawn) return;
    this.layout = drawn;
    this.shown = [];
    this.premiums = layout.map((row) => [...row].map((symbol) => PREMIUMS[symbol] ?? null));
    if (this.root.dataset.layout !== drawn) this.make(layout[0].length);
    this.root.dataset.layout = drawn;
    this.cells = [...this.root.querySelectorAll("[role=row]")].map((row) => [
      ...row.querySelectorAll("[role=gridcell]"),
    ]);
  }

  make(width) {
    this.root.style.setProperty("--cols", String(width));
    set(this.root, "data-large", width > 17);
    const head = el("div", { class: "heads", "aria-hidden": "true" }, el("span"));
    for (let col = 0; col < width; col++)
      head.append(el("span", {}, String.fromCharCode(65 + col)));
    const rows = this.premiums.map((row, r) =>
      el(
        "div",
        { role: "row" },
        el("span", { class: "side", "aria-hidden": "true" }, String(r + 1)),
        ...row.map((premium, c) =>
          el("div", {
            class: `square ${premium ? premium[0] : ""}`,
            role: "gridcell",
            tabindex: "-1",
            "data-at": square(r, c),
          }),
        ),
      ),
    );
    this.root.replaceChildren(el("div", { role: "presentation" }, head), ...rows);
  }

  /** Draws what changed. *fresh* are the squares of the latest play, as `8H`. */
  draw(points, fresh, playing) {
    const { board, cursor } = this.composition;
    const { row, col } = cursor ?? this.middle;
    if (this.home !== this.cells[row][col]) {
      this.home?.setAttribute("tabindex", "-1");
      this.home = this.cells[row][col];
      this.home.setAttribute("tabindex", "0");
    }
    this.cells.forEach((row, r) =>
      row.forEach((cell, c) => {
        const at = square(r, c);
        const held = this.composition.placedAt(r, c);
        const lies = board[r]?.[c];
        const here =
          cursor && cursor.row === r && cursor.col === c ? (cursor.across ? "across" : "down") : "";
        const key = [
          held?.letter,
          held?.tile,
          lies?.letter,
          lies?.blank,
          fresh.has(at),
          here,
        ].join();
        if (this.shown[r * 32 + c] === key) return;
        this.shown[r * 32 + c] = key;
        this.paint(cell, {
          at,
          held,
          lies,
          here,
          points,
          fresh: fresh.has(at),
          premium: this.premiums[r][c],
        });
      }),
    );
    set(this.root, "data-playing", playing);
  }

  paint(cell, { at, held, lies, here, points, fresh, premium }) {
    const told = [at];
    if (held) {
      const blank = held.tile === "?";
      cell.replaceChildren(
        face(held.letter, blank ? 0 : points.get(held.tile), blank ? "held blank" : "held"),
      );
      told.push(
        blank ? say("{letter}, blank", held) : spoken(held.tile, points.get(held.tile)),
        say("not sent yet"),
      );
    } else if (lies) {
      cell.replaceChildren(
        face(
          lies.letter,
          lies.blank ? 0 : points.get(lies.letter),
          `${lies.blank ? "blank" : ""} ${fresh ? "fresh" : ""}`,
        ),
      );
      told.push(
        lies.blank
          ? say("{letter}, blank", lies)
          : spoken(lies.letter, points.get(lies.letter) ?? 0),
      );
      if (fresh) told.push(say("of the latest play"));
    } else if (premium) {
      if (!find(".premium", cell))
        cell.replaceChildren(el("span", { class: "premium", "data-text": premium[1] }));
      told.push(premium[2]);
    } else {
      cell.replaceChildren();
      told.push(say("empty"));
    }
    set(cell, "data-cursor", here || null);
    set(cell, "data-held", Boolean(held));
    set(cell, "aria-label", told.join(", "));
    set(cell, "aria-selected", here ? "true" : null);
  }

  get middle() {
    return {
      row: Math.floor(this.cells.length / 2),
      col: Math.floor((this.cells[0]?.length ?? 0) / 2),
    };
  }

  /** The square of an element, as `[row, col]`; null if it is none. */
  where(element) {
    const cell = element?.closest?.("[role=gridcell]");
    if (!cell || !this.root.contains(cell)) return null;
    const at = cell.dataset.at;
    return [Number.parseInt(at, 10) - 1, at.charCodeAt(at.length - 1) - 65];
  }

  focus() {
    const { row, col } = this.composition.cursor ?? this.middle;
    this.cells[row]?.[col]?.focus({ preventScroll: true });
  }

  /** The cursor goes where the keyboard is. */
  follow(target) {
    const at = this.where(target);
    const { cursor } = this.composition;
    if (
      !at ||
      !target.matches(":focus-visible") ||
      (cursor && cursor.row === at[0] && cursor.col === at[1])
    )
      return;
    this.composition.cursor = { row: at[0], col: at[1], across: cursor?.across ?? true };
    this.act.changed();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = this.press(event.key, event.shiftKey);
    if (done) event.preventDefault();
  }

  /** Does what a key says; false if it says nothing here. */
  press(key, shift) {
    const { composition } = this;
    if (key in ARROWS) return this.move(...ARROWS[key]);
    if (key === "Escape") return this.act.recall();
    if (key === "Enter") return this.act.send();
    composition.cursor ??= { ...this.middle, across: true };
    if (key === " " || key === ".") return this.turn();
    if (key === "Backspace" || key === "Delete") return this.erase();
    if (!/^[\p{L}·]$/u.test(key)) return false;
    this.type(key.toUpperCase(), shift);
    return true;
  }

  move(down, right) {
    const { row, col, across } = this.composition.cursor ?? { ...this.middle, across: true };
    const to = { row: row + down, col: col + right, across };
    if (this.cells[to.row]?.[to.col]) this.composition.cursor = to;
    this.typed = null;
    this.act.changed();
    this.focus();
    return true;
  }

  turn() {
    const { cursor } = this.composition;
    cursor.across = !cursor.across;
    this.typed = null;
    this.act.say(cursor.across ? say("across") : say("down"));
    this.act.changed();
    return true;
  }

  erase() {
    const { composition } = this;
    const here = composition.placedAt(composition.cursor.row, composition.cursor.col);
    if (!here) composition.advance(-1);
    const held = composition.placedAt(composition.cursor.row, composition.cursor.col);
    if (held) composition.lift(held);
    this.typed = null;
    this.act.changed();
    this.focus();
    return true;
  }

  /** Lays the tile of a typed letter at the cursor; Shift takes a blank, or takes one back. */
  type(letter, shift) {
    const { composition } = this;
    if (this.join(letter, shift)) return;
    let { row, col } = composition.cursor;
    const own = composition.rack.find((held) => held.tile === letter);
    const swapping = shift && own && composition.isReclaimable(own, row, col);
    const lies = composition.board[row]?.[col];
    if (lies?.letter === letter && !swapping) {
      composition.advance();
    } else {
      if (!composition.isFree(row, col) && !swapping) composition.advance();
      ({ row, col } = composition.cursor);
      const blank = composition.rack.find((held) => held.tile === "?");
      const begins = composition.rack.find((held) => held.tile.startsWith(letter));
      const held = swapping ? own : ((shift ? blank : (own ?? begins)) ?? blank);
      const missing = say("no {letter} on your rack", { letter });
      if (!held) this.act.say(missing);
      else if (composition.place(held, row, col, held.tile === "?" ? letter : held.tile)) {
        composition.advance();
        this.typed = { held, at: [row, col], spelt: letter, next: composition.cursor };
      }
    }
    this.act.changed();
    this.focus();
  }

  /** C, then H: the tile CH takes the place of the C, if there is one; or the H was part of it. */
  join(letter, shift) {
    const { composition, typed } = this;
    if (!typed?.held.at || typed.next !== composition.cursor) return false;
    const [tile, spelt] = [typed.held.letter, typed.spelt + letter];
    if (tile !== typed.spelt && (tile.startsWith(spelt) || bare(tile) === spelt)) {
      typed.spelt = spelt;
      return true;
    }
    if (typed.held.tile === "?") return shift && this.rename(spelt);
    const { rack } = composition;
    const whole = rack.find((held) => held.tile === spelt || bare(held.tile) === spelt);
    const longer = whole ?? this.begun(spelt, letter);
    if (tile !== typed.spelt || !longer) return false;
    composition.lift(typed.held);
    composition.place(longer, ...typed.at);
    this.typed = { ...typed, held: longer, spelt };
    this.act.changed();
    this.focus();
    return true;
  }

  /** Shift and N, then Shift and J: the blank just laid stands for NJ, if there is such a tile. */
  rename(spelt) {
    const whole = this.act.letters().find((tile) => tile === spelt || bare(tile) === spelt);
    if (!whole) return false;
    this.typed.held.letter = whole;
    this.typed.spelt = spelt;
    this.act.changed();
    return true;
  }

  /** L, then the dot of L·L, which is no letter for itself. */
  begun(spelt, letter) {
    const { rack } = this.composition;
    return letter === "·" && rack.find((held) => held.tile.startsWith(spelt));
  }
}
