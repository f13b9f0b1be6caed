// The rack, and the hand that takes tiles from it: tap and tap, or drag.

import { el, set } from "./base.js";
import { face, spoken } from "./board.js";
import { square } from "./compose.js";
import { blank } from "./dialogs.js";
import { say } from "./speech.js";

const A_DRAG = 6; // px that a pointer moves until a tap is a drag
const ABOVE = 34; // px that a dragged tile is held above a finger, which hides what is under it

/** How high a dragged tile is held, in px: over a finger, yet down to where the page ends. */
const height = (y, touch) => (touch ? y - Math.min(ABOVE, (innerHeight - y) / 2) : y);

export class Hand {
  /** *act*: `changed()`, `say(text)`, `letters()` for a blank, `isPaused()`: the game. */
  constructor(composition, board, act) {
    Object.assign(this, { composition, board, act });
    this.selected = null;
    this.drag = null;
    this.buttons = new Map();
    this.root = el("div", { class: "rack", role: "group", "aria-label": say("Your rack") });
    for (const place of [this.root, board.root])
      place.addEventListener("pointerdown", (e) => this.down(e));
    this.moved = this.moved.bind(this);
    this.up = this.up.bind(this);
  }

  draw(points, size) {
    const { rack } = this.composition;
    if (!rack.includes(this.selected)) this.selected = null;
    const buttons = rack.map((held) => this.button(held, points));
    for (const id of this.buttons.keys())
      if (!this.composition.tiles.some((held) => held.id === id)) this.buttons.delete(id);
    this.root.style.setProperty("--size", String(size));
    const same =
      buttons.length === this.root.children.length &&
      buttons.every((button, at) => button === this.root.children[at]);
    if (!same) this.replace(buttons);
  }

  /** Another order of buttons must not take the focus away. */
  replace(buttons) {
    const held = this.root.contains(document.activeElement) ? document.activeElement : null;
    this.root.replaceChildren(...buttons);
    if (held) (held.isConnected ? held : this.root.querySelector("button"))?.focus();
  }

  button(held, points) {
    let button = this.buttons.get(held.id);
    if (!button) {
      const value = points.get(held.tile) ?? 0;
      const label = spoken(held.tile, value);
      button = el("button", {
        type: "button",
        "aria-label": label,
        "data-id": held.id,
        click: (e) => this.click(e, held),
      });
      button.append(
        face(held.tile === "?" ? "" : held.tile, value, held.tile === "?" ? "blank" : ""),
      );
      this.buttons.set(held.id, button);
    }
    set(button, "aria-pressed", held === this.selected ? "true" : "false");
    return button;
  }

  /** Keyboards and screen readers click; pointers have come through `up` already. */
  click(event, held) {
    if (event.detail === 0) this.tap(held);
  }

  tap(held) {
    const { cursor } = this.composition;
    if (this.selected === held) this.selected = null;
    else if (!this.selected && cursor && this.composition.isFree(cursor.row, cursor.col)) {
      this.lay(held, cursor.row, cursor.col, true);
      return;
    } else this.selected = held;
    this.act.changed();
  }

  /** A square is tapped: the tile in hand goes there, or what lies there comes up, or the cursor goes. */
  point(row, col) {
    const { composition } = this;
    if (this.selected) return this.lay(this.selected, row, col, false);
    const { cursor } = composition;
    const held = composition.placedAt(row, col);
    if (held) composition.lift(held);
    else if (cursor && cursor.row === row && cursor.col === col) cursor.across = !cursor.across;
    else composition.cursor = { row, col, across: cursor?.across ?? true };
    this.act.changed();
  }

  /** Lays a tile, asking what a blank stands for; *along*: the cursor goes on. */
  async lay(held, row, col, along) {
    const { composition, act } = this;
    const paused = act.isPaused();
    const still = () => composition.fits(held, row, col) && act.isPaused() === paused;
    const named = held.tile !== "?" || (held.at && held.letter !== "?");
    const letter = named ? held.letter : await blank(act.letters(), still);
    if (!letter) return;
    this.selected = null;
    if (composition.place(held, row, col, letter)) {
      const told = say("{letter} on {square}", { letter, square: square(row, col) });
      act.say(told);
      if (along) composition.advance();
      else composition.cursor = null;
    }
    act.changed();
  }

  down(event) {
    if (event.button !== 0 || this.drag) return;
    const button = event.target.closest?.(".rack button");
    const at = this.board.where(event.target);
    const held = button
      ? this.composition.tiles.find((one) => String(one.id) === button.dataset.id)
      : at && this.composition.placedAt(...at);
    if (!held) return;
    this.drag = {
      held,
      x: event.clientX,
      y: event.clientY,
      id: event.pointerId,
      touch: event.pointerType !== "mouse",
      fromRack: Boolean(button),
    };
    window.addEventListener("pointermove", this.moved);
    window.addEventListener("pointerup", this.up);
    window.addEventListener("pointercancel", this.up);
  }

  moved(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.ghost && far < A_DRAG) return;
    if (!drag.ghost) this.lift(drag);
    const y = height(event.clientY, drag.touch);
    drag.ghost.style.transform = `translate(${event.clientX}px, ${y}px) translate(-50%, -50%)`;
    this.mark(this.board.where(document.elementFromPoint(event.clientX, y)), drag.held);
  }

  lift(drag) {
    const { held } = drag;
    const from = drag.fromRack
      ? this.buttons.get(held.id)
      : this.board.cells[held.at[0]][held.at[1]];
    drag.from = from;
    drag.ghost = from.querySelector(".tile").cloneNode(true);
    drag.ghost.classList.add("ghost");
    document.body.append(drag.ghost);
    from.classList.add("lifted");
  }

  /** Shows where the tile would fall. */
  mark(at, held) {
    this.target?.classList.remove("target");
    this.target = at && this.composition.fits(held, ...at) ? this.board.cells[at[0]][at[1]] : null;
    this.target?.classList.add("target");
  }

  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    for (const kind of ["pointermove", "pointerup", "pointercancel"])
      window.removeEventListener(kind, kind === "pointermove" ? this.moved : this.up);
    if (!drag.ghost) {
      if (drag.fromRack && event.type === "pointerup") this.tap(drag.held);
      return;
    }
    drag.ghost.remove();
    drag.from.classList.remove("lifted");
    this.mark(null, drag.held);
    if (event.type === "pointerup") this.drop(drag, event.clientX, event.clientY);
    if (!drag.fromRack) this.swallowClick();
  }

  drop(drag, x, y) {
    const under = document.elementFromPoint(x, height(y, drag.touch));
    const at = this.board.where(under);
    if (at) {
      this.lay(drag.held, ...at, false);
      return;
    }
    const before = document.elementFromPoint(x, y)?.closest?.(".rack button");
    this.composition.lift(drag.held);
    if (before || under?.closest?.(".rack")) {
      const other = this.composition.tiles.find((held) => String(held.id) === before?.dataset.id);
      if (other !== drag.held) this.composition.arrange(drag.held, other);
    }
    this.act.changed();
  }

  /** The click that ends a drag is no tap on the square. */
  swallowClick() {
    const swallow = (event) => event.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
  }
}
