// The rack, and how tiles get from it to the board: by two taps, or by dragging.

import { button, el, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { squareName } from "./tentative_play.js";
import { rackFace, tileName } from "./tile.js";
import { chooseLetter } from "./tile_dialogs.js";

const DRAG_THRESHOLD_PX = 6;
const LIFT_PX = 56; // a dragged tile is held above the finger, which would hide it

export class Rack {
  /** *callbacks*: `onChange()`, `onDrag(x, y)`, `announce(text)`. */
  constructor(state, play, board, callbacks) {
    Object.assign(this, { state, play, board, callbacks });
    this.selected = null;
    this.drag = null;
    this.dropTarget = null;
    this.buttons = new Map();
    this.gaps = new Map();
    this.root = el("div.rack", { role: "group", "aria-label": t("Your rack") });
    for (const area of [this.root, board.root])
      area.addEventListener("pointerdown", (event) => this.startDrag(event));
  }

  draw() {
    const { tiles, unplaced } = this.play;
    if (!unplaced.includes(this.selected)) this.selected = null;
    const points = this.state.tilePoints;
    const held = tiles.filter((tile) => !tile.square || !tile.borrowedFor);
    const places = held.map((tile) =>
      tile.square ? this.gapOf(tile) : this.buttonOf(tile, points),
    );
    for (const made of [this.buttons, this.gaps])
      for (const id of made.keys()) if (!tiles.some((tile) => tile.id === id)) made.delete(id);
    this.root.style.setProperty("--size", String(this.state.rules.rack));
    setAttribute(this.root, "hidden", !this.state.isSeated);
    const shown = [...this.root.children];
    if (places.length !== shown.length || places.some((one, at) => one !== shown[at]))
      this.replacePlaces(places);
  }

  /** Replaces tiles and gaps without taking the focus away. */
  replacePlaces(places) {
    const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
    this.root.replaceChildren(...places);
    if (focused) (focused.isConnected ? focused : this.root.querySelector("button"))?.focus();
  }

  /** Where a tile was that lies on the board: the others stay where they are. */
  gapOf(tile) {
    if (!this.gaps.has(tile.id)) this.gaps.set(tile.id, el("span.gap", { "aria-hidden": "true" }));
    return this.gaps.get(tile.id);
  }

  buttonOf(tile, points) {
    if (!this.buttons.has(tile.id)) {
      const value = points.get(tile.kind) ?? 0;
      // Keyboards and screen readers click; pointers come through `endDrag`.
      const click = (event) => event.detail === 0 && this.tap(tile);
      const name = tileName(tile.kind, value);
      const made = button("", click, { "aria-label": name, "data-id": tile.id });
      made.append(rackFace(tile.kind, value));
      this.buttons.set(tile.id, made);
    }
    const found = this.buttons.get(tile.id);
    setAttribute(found, "aria-pressed", String(tile === this.selected));
    return found;
  }

  deselect() {
    this.selected = null;
  }

  tap(tile) {
    const { cursor } = this.play;
    if (this.selected === tile) this.selected = null;
    else if (!this.selected && cursor && this.play.isFree(cursor.row, cursor.col))
      return this.place(tile, cursor.row, cursor.col, true);
    else this.selected = tile;
    this.callbacks.onChange();
  }

  /** Places the selected tile there; without one takes up the tile there, or moves the cursor. */
  tapSquare(row, col) {
    if (this.selected) return this.place(this.selected, row, col, false);
    const tile = this.play.tileAt(row, col);
    if (tile) this.play.lift(tile);
    else if (this.play.hasCursorAt(row, col)) this.play.turnCursor();
    else this.play.setCursor(row, col);
    this.callbacks.onChange();
  }

  /** Places a tile, asking what a blank stands for; *advance*: the cursor goes on. */
  async place(tile, row, col, advance) {
    const { play, state } = this;
    const { isPaused } = state;
    const isCurrent = () => play.fits(tile, row, col) && state.isPaused === isPaused;
    const isUnnamed = tile.kind === "?" && !(tile.square && tile.letter !== "?");
    const letter = isUnnamed ? await chooseLetter(state.blankLetters, isCurrent) : tile.letter;
    if (!letter) return;
    this.selected = null;
    if (play.place(tile, row, col, letter)) {
      const square = squareName(row, col);
      this.callbacks.announce(t("{letter} on {square}", { letter, square }));
      if (advance) play.advance();
      else play.clearCursor();
    }
    this.callbacks.onChange();
  }

  startDrag(event) {
    if (event.button !== 0 || this.drag) return;
    const pressed = event.target.closest?.(".rack button");
    const at = this.board.squareOf(event.target);
    const tile = pressed ? this.tileOf(pressed) : at && this.play.tileAt(...at);
    if (!tile) return;
    const listeners = new AbortController();
    this.drag = {
      tile,
      listeners,
      x: event.clientX,
      y: event.clientY,
      pointer: event.pointerId,
      isTouch: event.pointerType !== "mouse",
      isFromRack: Boolean(pressed),
    };
    const end = (event) => this.endDrag(event);
    window.addEventListener("pointermove", (event) => this.moveDrag(event), listeners);
    for (const type of ["pointerup", "pointercancel"])
      window.addEventListener(type, end, listeners);
  }

  tileOf(element) {
    return this.play.tiles.find((tile) => String(tile.id) === element?.dataset.id);
  }

  moveDrag(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.ghost && distance < DRAG_THRESHOLD_PX) return;
    if (!drag.ghost) this.showGhost(drag);
    const { clientX: x, clientY: y } = event;
    const held = drag.isTouch ? y - LIFT_PX : y;
    drag.ghost.style.transform = `translate(${x}px, ${held}px) translate(-50%, -50%)`;
    this.callbacks.onDrag(x, y);
    this.markTarget(this.board.squareOf(document.elementFromPoint(x, y)), drag.tile);
  }

  /** Draws a copy of the tile, which follows the pointer. */
  showGhost(drag) {
    const { id, square } = drag.tile;
    drag.source = drag.isFromRack ? this.buttons.get(id) : this.board.cells[square[0]][square[1]];
    drag.ghost = drag.source.querySelector(".tile").cloneNode(true);
    drag.ghost.classList.add("drag-ghost");
    document.body.append(drag.ghost);
    drag.source.classList.add("drag-source");
  }

  /** Shows where the tile would fall. */
  markTarget(at, tile) {
    this.dropTarget?.classList.remove("drop-target");
    const isTarget = at && this.play.fits(tile, ...at);
    this.dropTarget = isTarget ? this.board.cells[at[0]][at[1]] : null;
    this.dropTarget?.classList.add("drop-target");
    setAttribute(this.board.root, "data-touch", this.drag?.isTouch);
  }

  endDrag(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    drag.listeners.abort();
    const isDropped = event.type === "pointerup";
    if (!drag.ghost) {
      if (drag.isFromRack && isDropped) this.tap(drag.tile);
      return;
    }
    drag.ghost.remove();
    drag.source.classList.remove("drag-source");
    this.markTarget(null, drag.tile);
    if (isDropped) this.drop(drag, event.clientX, event.clientY);
    if (!drag.isFromRack) swallowClick();
  }

  drop({ tile }, x, y) {
    const under = document.elementFromPoint(x, y);
    const at = this.board.squareOf(under);
    if (at) return this.place(tile, ...at, false);
    const before = under?.closest?.(".rack button");
    this.play.lift(tile);
    if (before || under?.closest?.(".rack")) {
      const other = this.tileOf(before);
      if (other !== tile) this.play.arrange(tile, other);
    }
    this.callbacks.onChange();
  }
}

/** Stops the click that ends a drag, which is no tap on the square. */
function swallowClick() {
  const swallow = (event) => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}
