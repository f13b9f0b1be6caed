// Plays typed at the board: letters take tiles from the rack and put them at the cursor.

import { t } from "../core/i18n.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The letters of a tile: LL of L·L. */
const lettersOf = (tile) => tile.replace(/\P{L}/gu, "");
const isSpelled = (kind, text) => kind === text || lettersOf(kind) === text;

export class Keyboard {
  /** *callbacks*: `sendPlay()`, `recall()`, `onChange()`, `announce(text)`, `blankLetters()`. */
  constructor(play, board, callbacks) {
    Object.assign(this, { play, board, callbacks });
    this.typed = null; // the tile typed last: {tile, square, text, next: the cursor after it}
  }

  handle(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.press(event.key, event.shiftKey)) event.preventDefault();
  }

  /** Does what a key is for; returns false if it is for nothing here. */
  press(key, shift) {
    const { board, callbacks, play } = this;
    if (key in ARROWS) return this.move(...ARROWS[key]);
    if (key === "Escape") return callbacks.recall();
    if (key === "Enter") return callbacks.sendPlay();
    if (!play.cursor) play.setCursor(board.middle.row, board.middle.col);
    if (key === " " || key === ".") return this.turn();
    if (key === "Backspace" || key === "Delete") return this.erase();
    if (!/^[\p{L}·]$/u.test(key)) return false;
    const letter = key.toUpperCase();
    return this.extend(letter, shift) || this.type(letter, shift);
  }

  finish(typed = null) {
    this.typed = typed;
    this.callbacks.onChange();
    this.board.focus();
    return true;
  }

  move(down, right) {
    const { row, col } = this.play.cursor ?? this.board.middle;
    const to = [row + down, col + right];
    if (this.board.hasSquare(...to)) this.play.setCursor(...to);
    return this.finish();
  }

  turn() {
    this.play.turnCursor();
    this.callbacks.announce(this.play.cursor.across ? t("across") : t("down"));
    this.typed = null;
    this.callbacks.onChange();
    return true;
  }

  erase() {
    const { play } = this;
    const tileHere = () => play.tileAt(play.cursor.row, play.cursor.col);
    if (!tileHere()) play.advance(-1);
    const tile = tileHere();
    if (tile) play.lift(tile);
    return this.finish();
  }

  /** Places the tile of a letter at the cursor; Shift takes a blank, or swaps one on the board. */
  type(letter, shift) {
    const { play } = this;
    const own = play.unplaced.find(({ kind }) => kind === letter);
    let { row, col } = play.cursor;
    const isSwap = shift && own && play.isReclaimable(own, row, col);
    if (play.board[row]?.[col]?.letter === letter && !isSwap) {
      play.advance();
      return this.finish(this.typed);
    }
    if (!play.isFree(row, col) && !isSwap) play.advance();
    ({ row, col } = play.cursor);
    const blank = play.unplaced.find(({ kind }) => kind === "?");
    const longer = play.unplaced.find(({ kind }) => kind.startsWith(letter));
    const tile = isSwap ? own : ((shift ? blank : (own ?? longer)) ?? blank);
    if (!tile) {
      this.callbacks.announce(t("no {letter} on your rack", { letter }));
    } else if (play.place(tile, row, col, tile.kind === "?" ? letter : tile.kind)) {
      play.advance();
      return this.finish({ tile, square: [row, col], text: letter, next: play.cursor });
    }
    return this.finish(this.typed);
  }

  /** Takes a letter as part of the tile typed last: H after C gives CH, if there is such a tile. */
  extend(letter, shift) {
    const { play, typed } = this;
    if (!typed?.tile.square || typed.next !== play.cursor) return false;
    const [name, text] = [typed.tile.letter, typed.text + letter];
    if (name !== typed.text && (name.startsWith(text) || lettersOf(name) === text)) {
      typed.text = text;
      return true;
    }
    if (typed.tile.kind === "?") return shift && this.extendBlank(text);
    // The dot of L·L is no letter by itself.
    const isLonger = ({ kind }) => letter === "·" && kind.startsWith(text);
    const whole = play.unplaced.find(({ kind }) => isSpelled(kind, text));
    const tile = whole ?? play.unplaced.find(isLonger);
    if (name !== typed.text || !tile) return false;
    play.lift(typed.tile);
    play.place(tile, ...typed.square);
    return this.finish({ ...typed, tile, text });
  }

  /** Lets a blank that stands for N stand for NJ, if there is such a tile. */
  extendBlank(text) {
    const whole = this.callbacks.blankLetters().find((letter) => isSpelled(letter, text));
    if (!whole) return false;
    this.play.rename(this.typed.tile, whole);
    this.typed.text = text;
    this.callbacks.onChange();
    return true;
  }
}
