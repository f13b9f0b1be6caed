// The play that is being put together: tiles of the rack on squares of the board, not yet sent.
// It knows no rules: it can write a play down, and the server says what that scores.

/** Reads the rows of a board as the server writes them; squares are `null` or `{letter, blank}`. */
function parseBoard(rows) {
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

/** Names a column, 0-based: `H` of 7. */
export const columnName = (col) => String.fromCharCode(65 + col);

/** Names a square: `8H` of row 7, column 7, both 0-based. */
export const squareName = (row, col) => `${row + 1}${columnName(col)}`;

const bracketed = (text) => ([...text].length > 1 ? `[${text}]` : text);

export class TentativePlay {
  constructor() {
    this.board = [];
    this.reclaimable = []; // squares of blanks that may be swapped for the tile they stand for
    this.tiles = []; // {id, kind, square: null | [row, col], letter, borrowedFor: id of a tile}
    this.cursor = null; // {row, col, across}
    this.lastId = 0;
  }

  /** Takes over what the server says; every tile stays where it is if it still may. */
  sync(rows, rack, reclaimable = []) {
    this.board = parseBoard(rows);
    this.reclaimable = reclaimable;
    const left = [...rack];
    this.tiles = this.tiles.filter((tile) => {
      if (tile.borrowedFor) return true;
      const found = left.indexOf(tile.kind);
      if (found >= 0) left.splice(found, 1);
      return found >= 0;
    });
    for (const kind of left) this.addTile(kind);
    for (const tile of this.placed)
      if (!this.isFree(...tile.square, tile) && !this.isSwap(tile)) this.lift(tile);
    this.returnBorrowed();
    if (this.cursor && this.board[this.cursor.row]?.[this.cursor.col] === undefined)
      this.clearCursor();
  }

  addTile(kind, borrowedFor = null) {
    this.tiles.push({ id: ++this.lastId, kind, square: null, letter: kind, borrowedFor });
  }

  get placed() {
    return this.tiles.filter((tile) => tile.square);
  }

  get unplaced() {
    return this.tiles.filter((tile) => !tile.square);
  }

  tileAt(row, col) {
    return this.placed.find(({ square }) => square[0] === row && square[1] === col);
  }

  /** Is the square empty, except perhaps for the tile itself? */
  isFree(row, col, tile = null) {
    const other = this.tileAt(row, col);
    return this.board[row]?.[col] === null && (!other || other === tile);
  }

  /** Is there a blank that may be swapped for this tile? */
  matchesBlank(tile, row, col) {
    const fixed = this.board[row]?.[col];
    const isOffered = this.reclaimable.some(([r, c]) => r === row && c === col);
    return Boolean(fixed?.blank && isOffered && fixed.letter === tile.kind);
  }

  isReclaimable(tile, row, col) {
    return this.matchesBlank(tile, row, col) && !this.tileAt(row, col);
  }

  /** Does the tile lie on a blank that it is swapped for? */
  isSwap(tile) {
    return tile.square !== null && this.matchesBlank(tile, ...tile.square);
  }

  /** May the tile be placed there, and do we still have it? */
  fits(tile, row, col) {
    const isOpen = this.isFree(row, col, tile) || this.isReclaimable(tile, row, col);
    return this.tiles.includes(tile) && isOpen;
  }

  /** Places a tile; a blank stands for *letter*. Returns false if it does not fit. */
  place(tile, row, col, letter = tile.kind) {
    if (!this.fits(tile, row, col)) return false;
    if (this.isReclaimable(tile, row, col)) this.addTile("?", tile.id);
    tile.square = [row, col];
    tile.letter = letter;
    this.returnBorrowed();
    return true;
  }

  lift(tile) {
    tile.square = null;
    tile.letter = tile.kind;
    this.returnBorrowed();
  }

  /** Takes away swapped blanks whose tile was lifted. */
  returnBorrowed() {
    const swaps = new Set(this.placed.filter((tile) => this.isSwap(tile)).map(({ id }) => id));
    this.tiles = this.tiles.filter(({ borrowedFor }) => !borrowedFor || swaps.has(borrowedFor));
  }

  /** Lets a blank stand for another letter. */
  rename(tile, letter) {
    tile.letter = letter;
  }

  /** Takes all tiles back; if there are none, the cursor goes. */
  recall() {
    if (!this.placed.length) this.clearCursor();
    for (const tile of [...this.tiles]) this.lift(tile);
  }

  shuffle() {
    for (let last = this.tiles.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [this.tiles[last], this.tiles[other]] = [this.tiles[other], this.tiles[last]];
    }
  }

  /** Moves a tile of the rack before another one, or to the end. */
  arrange(tile, before) {
    if (!this.tiles.includes(tile)) return;
    this.tiles = this.tiles.filter((other) => other !== tile);
    const to = before ? this.tiles.indexOf(before) : this.tiles.length;
    this.tiles.splice(to, 0, tile);
  }

  hasCursorAt(row, col) {
    return this.cursor !== null && this.cursor.row === row && this.cursor.col === col;
  }

  setCursor(row, col) {
    this.cursor = { row, col, across: this.cursor?.across ?? true };
  }

  turnCursor() {
    this.cursor.across = !this.cursor.across;
  }

  clearCursor() {
    this.cursor = null;
  }

  /** Moves the cursor on along its line to the next free square, or back with -1. */
  advance(step = 1) {
    if (!this.cursor) return;
    let { row, col } = this.cursor;
    do {
      if (this.cursor.across) col += step;
      else row += step;
    } while (this.board[row]?.[col] && !this.tileAt(row, col));
    if (this.board[row]?.[col] !== undefined) this.cursor = { ...this.cursor, row, col };
  }

  /** Writes the play down as `{at, word, swap}`; null if the tiles do not make one line. */
  get notation() {
    const laid = this.placed.filter((tile) => !this.isSwap(tile));
    const swap = this.placed.filter((tile) => this.isSwap(tile));
    if (!laid.length) return null;
    const rows = laid.map((tile) => tile.square[0]);
    const cols = laid.map((tile) => tile.square[1]);
    const across =
      laid.length === 1 ? this.readsAcross(rows[0], cols[0]) : new Set(rows).size === 1;
    if (!across && new Set(cols).size > 1) return null;
    const [down, right] = across ? [0, 1] : [1, 0];
    let [row, col] = [Math.min(...rows), Math.min(...cols)];
    while (this.isCovered(row - down, col - right)) [row, col] = [row - down, col - right];
    const at = across ? squareName(row, col) : `${columnName(col)}${row + 1}`;
    let word = "";
    for (let left = laid.length; left || this.isCovered(row, col); row += down, col += right) {
      if (!this.isCovered(row, col)) return null;
      const tile = this.tileAt(row, col);
      if (tile && !this.isSwap(tile)) {
        word += bracketed(tile.kind === "?" ? tile.letter.toLowerCase() : tile.letter);
        left--;
      } else {
        word += ".";
      }
    }
    return { at, word, swap: swap.map(({ square }) => squareName(...square)).join(",") || null };
  }

  isCovered(row, col) {
    return Boolean(this.board[row]?.[col] || this.tileAt(row, col));
  }

  /** Does a single tile read across? It does, unless it only has neighbours above or below. */
  readsAcross(row, col) {
    const hasBeside = this.isCovered(row, col - 1) || this.isCovered(row, col + 1);
    return hasBeside || !(this.isCovered(row - 1, col) || this.isCovered(row + 1, col));
  }

  /** What to keep in case the page is loaded again. */
  get memo() {
    return this.placed
      .filter((tile) => !tile.borrowedFor)
      .map(({ kind, square, letter }) => ({ tile: kind, at: square, letter }));
  }

  restore(memo) {
    for (const { tile: kind, at, letter } of memo) {
      const tile = this.unplaced.find((one) => one.kind === kind);
      if (tile) this.place(tile, ...at, letter);
    }
  }
}
