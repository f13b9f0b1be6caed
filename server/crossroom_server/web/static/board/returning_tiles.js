// Tiles of a play that was taken back are seen returning to whose they are.

import { find } from "../core/dom.js";

const RETURN_MS = 1_500;
const REST_SHARE = 0.4; // of that time, in which they still lie there

/** Shows copies of the tiles that lie in *cells* going to *goal*, or fading if things must not move. */
export function showReturningTiles(cells, goal) {
  if (document.hidden) return;
  const to = goal.getBoundingClientRect();
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const cell of cells) {
    const copy = find(".tile", cell)?.cloneNode(true);
    if (!copy) continue;
    const from = cell.getBoundingClientRect();
    copy.classList.add("returning");
    const { fontSize } = getComputedStyle(cell);
    const [left, top, side] = [from.left, from.top, from.width].map((size) => `${size}px`);
    Object.assign(copy.style, { left, top, width: side, height: side, fontSize });
    document.body.append(copy);
    const x = to.left + to.width / 2 - from.left - from.width / 2;
    const y = to.top + to.height / 2 - from.top - from.height / 2;
    const rest = { opacity: 1, transform: "none" };
    const end = { opacity: 0, transform: isStill ? "none" : `translate(${x}px, ${y}px)` };
    const frames = [rest, { ...rest, offset: REST_SHARE }, end];
    const moving = copy.animate(frames, { duration: RETURN_MS, easing: "ease-in-out" });
    moving.onfinish = () => copy.remove();
  }
}
