// The play that is being thought of: tiles of the rack on squares of the board, and nothing sent yet.
// It knows no rules. It can write a play down, and the server says what that is worth.

/** The squares of a board as the server writes it: `null`, or `{letter, blank}`. */
export function read(rows) {
  return rows.map((row) => {
    const squares = [];
    for (const [text] of row.matchAll(/\[[^\]]*\]|./gu)) {
      const letter = text.replace(/[[\]]/g, "");
      const blank = letter !== letter.toUpperCase();
      squares.push(text === "." ? null : { letter: letter.toUpperCase(), blank });
    }
    return squares;
  });
}

/** `8H` of row 7, column 7. */
export const square = (row, col) => `${row + 1}${String.fromCharCode(65 + col)}`;

const bracketed = (text) => ([...text].length > 1 ? `[${text}]` : text);

export class Composition {
  constructor() {
    this.board = [];
    this.tiles = []; // {id, tile, at: null | [row, col], letter, lent}
    this.cursor = null; // {row, col, across}
    this.ids = 0;
  }

  /** Takes over what the server says, and keeps every tile where it is, if it still can be there. */
  sync(rows, rack, reclaimable = []) {
    this.board = read(rows);
    this.reclaimable = reclaimable;
    const left = [...rack];
    this.tiles = this.tiles.filter((held) => {
      if (held.lent) return true;
      const found = left.indexOf(held.tile);
      if (found >= 0) left.splice(found, 1);
      return found >= 0;
    });
    for (const tile of left) this.tiles.push({ id: ++this.ids, tile, at: null, letter: tile });
    for (const held of this.tiles) {
      if (held.at && !this.isFree(...held.at, held) && !this.swaps(held)) this.lift(held);
    }
    this.settle();
    if (this.cursor && this.board[this.cursor.row]?.[this.cursor.col] === undefined)
      this.cursor = null;
  }

  get placed() {
    return this.tiles.filter((held) => held.at);
  }

  get rack() {
    return this.tiles.filter((held) => !held.at);
  }

  placedAt(row, col) {
    return this.tiles.find((held) => held.at && held.at[0] === row && held.at[1] === col);
  }

  /** Is nothing there, except perhaps the tile itself? */
  isFree(row, col, held = null) {
    const other = this.placedAt(row, col);
    return this.board[row]?.[col] === null && (!other || other === held);
  }

  /** May this tile take the place of a blank that lies there? */
  isReclaimable(held, row, col) {
    const lies = this.board[row]?.[col];
    const offered = this.reclaimable.some(([r, c]) => r === row && c === col);
    return Boolean(lies?.blank && offered && lies.letter === held.tile && !this.placedAt(row, col));
  }

  swaps(held) {
    const lies = held.at && this.board[held.at[0]]?.[held.at[1]];
    const offered =
      held.at && this.reclaimable.some(([r, c]) => r === held.at[0] && c === held.at[1]);
    return Boolean(lies?.blank && offered && lies.letter === held.tile);
  }

  /** May this tile lie there, if it is not gone since it was taken up? */
  fits(held, row, col) {
    const isThere = this.isFree(row, col, held) || this.isReclaimable(held, row, col);
    return this.tiles.includes(held) && isThere;
  }

  /** Lays a tile; a blank stands for *letter*. False if it cannot lie there. */
  place(held, row, col, letter = held.tile) {
    if (!this.fits(held, row, col)) return false;
    const swapping = this.isReclaimable(held, row, col);
    held.at = [row, col];
    held.letter = letter;
    if (swapping)
      this.tiles.push({ id: ++this.ids, tile: "?", at: null, letter: "?", lent: held.id });
    this.settle();
    return true;
  }

  lift(held) {
    held.at = null;
    held.letter = held.tile;
    this.settle();
  }

  /** A blank that was taken back is here as long as the tile that took its place is there. */
  settle() {
    const swapping = new Set(this.placed.filter((held) => this.swaps(held)).map((held) => held.id));
    this.tiles = this.tiles.filter((held) => !held.lent || swapping.has(held.lent));
  }

  recall() {
    for (const held of [...this.tiles]) this.lift(held);
  }

  shuffle() {
    for (let last = this.tiles.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [this.tiles[last], this.tiles[other]] = [this.tiles[other], this.tiles[last]];
    }
  }

  /** Moves a tile of the rack before another one, or to the end. */
  arrange(held, before) {
    if (!this.tiles.includes(held)) return;
    this.tiles = this.tiles.filter((one) => one !== held);
    const to = before ? this.tiles.indexOf(before) : this.tiles.length;
    this.tiles.splice(to, 0, held);
  }

  /** Moves the cursor on along its line to the next free square, or back with -1. */
  advance(step = 1) {
    if (!this.cursor) return;
    let { row, col } = this.cursor;
    do {
      if (this.cursor.across) col += step;
      else row += step;
    } while (this.board[row]?.[col] && !this.placedAt(row, col));
    if (this.board[row]?.[col] !== undefined) this.cursor = { ...this.cursor, row, col };
  }

  /** The play as the server reads it, `{at, word, swap}`; null if the tiles are not one line. */
  get play() {
    const laid = this.placed.filter((held) => !this.swaps(held));
    const swap = this.placed.filter((held) => this.swaps(held)).map((held) => square(...held.at));
    if (!laid.length) return null;
    const rows = laid.map((held) => held.at[0]);
    const cols = laid.map((held) => held.at[1]);
    const across = laid.length === 1 ? this.runs(rows[0], cols[0]) : new Set(rows).size === 1;
    if (!across && new Set(cols).size > 1) return null;
    const [down, right] = across ? [0, 1] : [1, 0];
    let [row, col] = [Math.min(...rows), Math.min(...cols)];
    while (this.covered(row - down, col - right)) [row, col] = [row - down, col - right];
    const at = across ? square(row, col) : `${String.fromCharCode(65 + col)}${row + 1}`;
    let word = "";
    for (let left = laid.length; left || this.covered(row, col); row += down, col += right) {
      const held = this.placedAt(row, col);
      if (!this.covered(row, col)) return null;
      if (held && !this.swaps(held)) {
        word += bracketed(held.tile === "?" ? held.letter.toLowerCase() : held.letter);
        left--;
      } else {
        word += ".";
      }
    }
    return { at, word, swap: swap.length ? swap.join(",") : null };
  }

  covered(row, col) {
    return Boolean(this.board[row]?.[col] || this.placedAt(row, col));
  }

  /** Does a single tile there read across? It does, unless it only has neighbours above or below. */
  runs(row, col) {
    const beside = this.covered(row, col - 1) || this.covered(row, col + 1);
    return beside || !(this.covered(row - 1, col) || this.covered(row + 1, col));
  }

  /** What to keep for the case that the page is loaded again. */
  get memo() {
    return this.placed
      .filter((held) => !held.lent)
      .map(({ tile, at, letter }) => ({ tile, at, letter }));
  }

  restore(memo) {
    for (const { tile, at, letter } of memo) {
      const held = this.rack.find((one) => one.tile === tile);
      if (held) this.place(held, ...at, letter);
    }
  }
}
