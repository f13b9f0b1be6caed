// A board of many columns on a small screen: enlarged and scrolled, so that a finger hits a square, or
// whole. The style sheet decides whether a screen is small.

import { button, find, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { localStore } from "../core/storage.js";

const EDGE_PX = 30; // of the frame, at which a dragged tile scrolls it
const STEP_PX = 14;

export class Enlarging {
  constructor(board) {
    this.board = board;
    this.frame = find(".board-frame");
    this.isOn = localStore.read("whole-board") !== true;
    this.layout = null; // that is shown
    this.shown = ""; // the squares that were brought into sight last
    this.root = button("", () => this.toggle(), { class: "enlarge" });
  }

  toggle() {
    this.isOn = !this.isOn;
    localStore.write("whole-board", this.isOn ? null : true);
    this.layout = null; // it begins in the middle again
    this.draw([]);
  }

  /** Enlarges the board or not, and brings *squares*, `[row, col]`, into sight if they are others. */
  draw(squares) {
    const label = this.isOn ? t("Show the whole board") : t("Enlarge the board");
    setText(this.root, this.isOn ? "\u2212" : "+");
    for (const name of ["aria-label", "title"]) setAttribute(this.root, name, label);
    setAttribute(this.board.root, "data-enlarged", this.isOn && this.board.isLarge);
    if (this.layout !== this.board.layout) this.centre();
    const key = JSON.stringify(squares);
    if (this.shown === key) return;
    this.shown = key;
    for (const [row, col] of squares) this.bringIntoSight(this.board.cells[row][col]);
  }

  centre() {
    this.layout = this.board.layout;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.frame;
    this.frame.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2);
  }

  /** Scrolls the frame, but not the page, until a square and those beside it are inside. */
  bringIntoSight(cell) {
    const frame = this.frame.getBoundingClientRect();
    const box = cell.getBoundingClientRect();
    const margin = box.width;
    const past = (low, high, start, end) =>
      Math.min(0, low - start - margin) + Math.max(0, high - end + margin);
    this.frame.scrollBy(
      past(box.left, box.right, frame.left, frame.right),
      past(box.top, box.bottom, frame.top, frame.bottom),
    );
  }

  /** Scrolls on while a tile is dragged at an edge of the frame. */
  scrollAtEdge(x, y) {
    const { left, top, right, bottom } = this.frame.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) return;
    const step = (at, start, end) =>
      at < start + EDGE_PX ? -STEP_PX : at > end - EDGE_PX ? STEP_PX : 0;
    this.frame.scrollBy(step(x, left, right), step(y, top, bottom));
  }
}
