// Steps through a finished game. The page is whole without this: it shows the last position.

import { say, several } from "./speech.js";

const steps = JSON.parse(document.getElementById("steps").textContent);
const board = document.getElementById("board");
const graph = document.getElementById("graph");
const slider = document.getElementById("slider");
const told = document.getElementById("told");
const names = [...document.querySelectorAll(".players tbody th")].map((cell) => cell.textContent);
const lines = [...document.querySelectorAll("#moves tbody tr")];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What lies on each square after so many steps: "row,col" to [letter, points]. */
function tilesAfter(count) {
  const tiles = new Map();
  for (const step of steps.slice(0, count)) {
    for (const [row, col] of step.lifted) tiles.delete(`${row},${col}`);
    for (const [row, col, letter, points] of step.put) tiles.set(`${row},${col}`, [letter, points]);
  }
  return tiles;
}

function tile([letter, points], isNew) {
  const face = document.createElement("b");
  face.className = "tile";
  face.classList.toggle("blank", points === null);
  face.classList.toggle("wide", letter.length > 1);
  face.classList.toggle("new", isNew);
  face.append(letter);
  const more = document.createElement(points === null ? "span" : "sub");
  more.append(points === null ? ` ${say("blank")}` : points);
  if (points === null) more.className = "v";
  face.append(more);
  return face;
}

function sentence(count) {
  if (count === 0) return say("Before the first move");
  const { turn, seat, what, gained, scores } = steps[count - 1];
  const when = turn === "end" ? say("At the end") : say("Turn {turn}", { turn });
  const points = several("{count} point", "{count} points", gained);
  const about = { when, name: names[seat], what, points, total: scores[seat] };
  return say("{when}, {name}: {what}, {points}, {total} in all", about);
}

function show(count) {
  const tiles = tilesAfter(count);
  const fresh = new Set(count ? steps[count - 1].put.map(([row, col]) => `${row},${col}`) : []);
  for (const [row, line] of [...board.tBodies[0].rows].entries()) {
    for (const [col, cell] of [...line.querySelectorAll("td")].entries()) {
      cell.querySelector(".tile")?.remove();
      const at = `${row},${col}`;
      if (tiles.has(at)) cell.append(tile(tiles.get(at), fresh.has(at)));
    }
  }
  const scores = count ? steps[count - 1].scores : names.map(() => 0);
  scores.forEach((score, seat) => {
    document.getElementById(`score${seat}`).textContent = score;
  });
  const { left, right } = graph.dataset;
  const x = Number(left) + ((right - left) * count) / steps.length;
  const now = document.getElementById("now");
  now.setAttribute("x1", x);
  now.setAttribute("x2", x);
  lines.forEach((line, index) => {
    if (index + 1 === count) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  });
  slider.value = count;
  slider.setAttribute("aria-valuetext", sentence(count));
  told.textContent = sentence(count);
  document.getElementById("first").disabled = document.getElementById("back").disabled = !count;
  const isLast = count === steps.length;
  document.getElementById("next").disabled = document.getElementById("last").disabled = isLast;
}

const go = {
  first: () => 0,
  back: (count) => Math.max(0, count - 1),
  next: (count) => Math.min(steps.length, count + 1),
  last: () => steps.length,
};
for (const [name, where] of Object.entries(go)) {
  document.getElementById(name).addEventListener("click", () => show(where(Number(slider.value))));
}
slider.addEventListener("input", () => show(Number(slider.value)));

lines.forEach((line, index) => {
  const cell = line.cells[2];
  const button = document.createElement("button");
  button.type = "button";
  button.append(cell.firstChild);
  button.addEventListener("click", () => {
    show(index + 1);
    board.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  });
  cell.prepend(button);
});

document.getElementById("controls").hidden = false;
show(steps.length);
