// Steps through a finished game. The page is complete without it: it shows the last position.

import { button, el, find, setAttribute } from "../core/dom.js";
import { writeClipboard } from "../core/clipboard.js";
import { plural, t } from "../core/i18n.js";

const steps = JSON.parse(find("#steps").textContent);
const board = find("#board");
const graph = find("#graph");
const slider = find("#slider");
const names = [...document.querySelectorAll(".players tbody th")].map((cell) => cell.textContent);
const rows = [...document.querySelectorAll("#moves tbody tr")];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** The tiles after so many steps: "row,col" to [letter, points]. */
function tilesAfter(count) {
  const tiles = new Map();
  for (const step of steps.slice(0, count)) {
    for (const [row, col] of step.lifted) tiles.delete(`${row},${col}`);
    for (const [row, col, letter, points] of step.put) tiles.set(`${row},${col}`, [letter, points]);
  }
  return tiles;
}

function tileElement([letter, points], isLatest) {
  const isBlank = points === null;
  const classes = ["tile", isBlank && "blank", letter.length > 1 && "wide", isLatest && "latest"];
  const value = isBlank ? el("span.sr-only", ` ${t("blank")}`) : el("sub", String(points));
  return el("b", { class: classes.filter(Boolean).join(" ") }, letter, value);
}

function describe(count) {
  if (count === 0) return t("Before the first move");
  const { turn, seat, what, gained, scores } = steps[count - 1];
  const when = turn === "end" ? t("At the end") : t("Turn {turn}", { turn });
  const points = plural("{count} point", "{count} points", gained);
  const values = { when, name: names[seat], what, points, total: scores[seat] };
  return t("{when}, {name}: {what}, {points}, {total} in all", values);
}

/** Shows the position after so many steps. */
function show(count) {
  drawBoard(count);
  const scores = count ? steps[count - 1].scores : names.map(() => 0);
  scores.forEach((score, seat) => (find(`#score${seat}`).textContent = score));
  const { left, right } = graph.dataset;
  const x = Number(left) + ((right - left) * count) / steps.length;
  for (const end of ["x1", "x2"]) setAttribute(find("#cursor"), end, x);
  rows.forEach((row, at) => setAttribute(row, "aria-current", at + 1 === count && "step"));
  slider.value = count;
  slider.setAttribute("aria-valuetext", describe(count));
  find("#description").textContent = describe(count);
  find("#first").disabled = find("#back").disabled = !count;
  find("#next").disabled = find("#last").disabled = count === steps.length;
}

function drawBoard(count) {
  const tiles = tilesAfter(count);
  const latest = new Set(count ? steps[count - 1].put.map(([row, col]) => `${row},${col}`) : []);
  [...board.tBodies[0].rows].forEach((line, row) =>
    line.querySelectorAll("td").forEach((cell, col) => {
      find(".tile", cell)?.remove();
      const at = `${row},${col}`;
      if (tiles.has(at)) cell.append(tileElement(tiles.get(at), latest.has(at)));
    }),
  );
}

const targets = {
  first: () => 0,
  back: (count) => Math.max(0, count - 1),
  next: (count) => Math.min(steps.length, count + 1),
  last: () => steps.length,
};
for (const [id, target] of Object.entries(targets))
  find(`#${id}`).addEventListener("click", () => show(target(Number(slider.value))));
slider.addEventListener("input", () => show(Number(slider.value)));

// Arrows step, wherever the focus is, but in the slider, which has them itself.
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  const isOwn = event.target === slider || event.altKey || event.ctrlKey || event.metaKey;
  if (isOwn || !(event.key in keys)) return;
  event.preventDefault();
  show(targets[keys[event.key]](Number(slider.value)));
});

graph.addEventListener("click", (event) => {
  const { left, width } = graph.getBoundingClientRect();
  const x = ((event.clientX - left) / width) * graph.viewBox.baseVal.width;
  const part = (x - graph.dataset.left) / (graph.dataset.right - graph.dataset.left);
  show(Math.round(Math.min(1, Math.max(0, part)) * steps.length));
});

/** Hands the address of this page on, or copies it where a browser cannot. */
async function share() {
  const address = location.href.replace(/[?#].*$/, "");
  if (navigator.share) return navigator.share({ title: document.title, url: address }).catch(() => null);
  const isCopied = await writeClipboard(address);
  shareButton.textContent = isCopied ? t("Copied") : address;
}

const shareButton = button(t("Share this game"), share);
find("#share").append(shareButton);
find("#share").hidden = false;

rows.forEach((row, at) => {
  const cell = row.cells[2];
  const click = () => {
    show(at + 1);
    const behavior = reducedMotion.matches ? "auto" : "smooth";
    board.scrollIntoView({ block: "nearest", behavior });
  };
  const move = button("", click);
  move.append(cell.firstChild);
  cell.prepend(move);
});

find("#controls").hidden = false;
show(steps.length);
