// The first page: which tables are open, and a form that sets up a new one.

import { el, find, languages, memory, passing, themes } from "./base.js";
import { face } from "./board.js";
import { RulesForm, bots, choices } from "./forms.js";
import { say, several } from "./speech.js";

const REFRESH = 10_000; // ms between two looks at the list
const ROOM = "[a-z0-9][a-z0-9\\-]{0,31}";

const list = find("#rooms");
const main = find("main");
title(find("h1"));
main.append(
  el(
    "footer",
    {},
    themes(),
    languages("", () => location.reload()),
  ),
);
find(".start").replaceWith(start());
look();
setInterval(() => document.visibilityState === "visible" && look(), REFRESH);
document.addEventListener(
  "visibilitychange",
  () => document.visibilityState === "visible" && look(),
);

async function look() {
  const rooms = await fetch("rooms.json")
    .then((answer) => answer.json())
    .catch(() => null);
  if (!rooms) return;
  const shown = rooms.length
    ? el("ul", { class: "tables" }, ...rooms.map(table))
    : el("p", {}, say("None at the moment. Open one, and send its address to your friends."));
  const before = find("ul, p", list);
  if (before.textContent !== shown.textContent || before.className !== shown.className)
    before.replaceWith(shown);
}

/** The name of the place, laid in tiles. */
function title(heading) {
  const letters = [...heading.textContent.toUpperCase()];
  const tiles = letters.map((letter) => el("span", {}, face(letter, 0)));
  heading.replaceChildren(
    el("span", { class: "hidden" }, heading.textContent),
    el("span", { class: "letters", "aria-hidden": "true" }, ...tiles),
  );
}

function table({ name, people, seated, playing, locked }) {
  const facts = [
    say("{people} here", { people }),
    say("{seated} seated", { seated }),
    playing && say("a game is on"),
    locked && say("locked"),
  ].filter(Boolean);
  return el(
    "li",
    {},
    el("a", { href: `t/${name}` }, el("b", {}, name), el("span", {}, facts.join(" \u00b7 "))),
  );
}

function suggestion() {
  const first = [
    "amber",
    "brisk",
    "clever",
    "copper",
    "cosy",
    "lucky",
    "merry",
    "quiet",
    "silver",
    "velvet",
  ];
  const second = [
    "attic",
    "garden",
    "harbour",
    "kitchen",
    "library",
    "meadow",
    "orchard",
    "parlour",
    "porch",
    "terrace",
  ];
  const pick = (words) => words[Math.floor(Math.random() * words.length)];
  return `${pick(first)}-${pick(second)}`;
}

function start() {
  const name = el("input", {
    id: "table-name",
    required: true,
    pattern: ROOM,
    maxlength: "32",
    autocomplete: "off",
    autocapitalize: say("none"),
    spellcheck: "false",
    value: suggestion(),
    "aria-describedby": "about-table",
  });
  const who = el("input", {
    id: "your-name",
    required: true,
    maxlength: "20",
    autocomplete: "nickname",
    spellcheck: "false",
    value: memory.read("name") ?? "",
  });
  const more = el("details", { class: "more" }, el("summary", {}, say("Rules and bots")));
  let rules = null;
  let count = null;
  let level = null;
  more.addEventListener("toggle", async () => {
    if (rules || !more.open) return;
    const offer = await choices("").catch(() => null);
    if (!offer || rules) return;
    rules = new RulesForm(offer);
    const picked = bots(offer);
    level = picked.select;
    count = el("select", { id: "bot-count" });
    for (let number = 0; number < 4; number++)
      count.append(
        el(
          "option",
          { value: String(number) },
          number ? several("{count} bot", "{count} bots", number) : say("none"),
        ),
      );
    const field = el(
      "div",
      { class: "field" },
      el("label", { for: "bot-count" }, say("Bots")),
      count,
      el("label", { for: "bot-level" }, say("Level")),
      level,
      picked.words,
    );
    more.append(rules.root, field);
  });
  const submit = (event) => {
    event.preventDefault();
    const room = name.value.trim().toLowerCase();
    memory.keep("name", who.value.trim());
    const seated = Array.from({ length: Number(count?.value ?? 0) }, () => level.value);
    const changes = rules?.changes() ?? [];
    const wishes = [
      ...changes.map(([setting, value]) => ({ do: "set", setting, value })),
      ...seated.map((what) => ({ do: "bot", action: "add", what })),
    ];
    passing.keep(`table ${room}`, { name: who.value.trim(), wishes });
    location.assign(`t/${encodeURIComponent(room)}`);
  };
  return el(
    "form",
    { class: "start panel", submit },
    el("h2", {}, say("Open a table")),
    el("label", { class: "field", for: "your-name" }, say("Your name"), who),
    el("label", { class: "field", for: "table-name" }, say("Table"), name),
    el(
      "p",
      { id: "about-table", class: "words" },
      say(
        "Small letters, digits and -. Its address is the invitation: send it, or show its QR code.",
      ),
    ),
    more,
    el("button", { type: "submit", class: "main" }, say("Sit down")),
  );
}
