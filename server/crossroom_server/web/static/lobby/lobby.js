// The first page: which tables are open, and a form that sets up a new one.

import { tileFace } from "../board/tile.js";
import { button, el, find, form, select } from "../core/dom.js";
import { plural, t } from "../core/i18n.js";
import { languageField, themeField } from "../core/preferences.js";
import { localStore, sessionStore } from "../core/storage.js";
import { RulesForm, botSelect, loadChoices } from "../room/rules_form.js";

const HOST = "#host-"; // how invitations to a private server begin
const REFRESH_MS = 10_000;
const MAX_BOTS = 3;
const ROOM_PATTERN = "[a-z0-9][a-z0-9\\-]{0,31}";
const AGAINST_BOT = [
  { do: "set", setting: "challenge", value: "void" },
  { do: "set", setting: "hints", value: "on" },
  { do: "bot", action: "add", what: "casual" },
  { do: "ready" },
];
const ADJECTIVES = "amber,brisk,clever,copper,cosy,lucky,merry,quiet,silver,velvet";
const PLACES = "attic,garden,harbour,kitchen,library,meadow,orchard,parlour,porch,terrace";

/** The rules and bots of a new table, which are loaded when they are unfolded. */
class SetupFields {
  constructor() {
    this.root = el("details.more", el("summary", t("Rules and bots")));
    this.root.addEventListener("toggle", () => this.load());
    this.rules = null;
  }

  async load() {
    if (this.rules || !this.root.open) return;
    const choices = await loadChoices("").catch(() => null);
    if (!choices || this.rules) return;
    this.rules = new RulesForm(choices);
    const { levels, about } = botSelect(choices);
    this.levels = levels;
    const counts = Array.from({ length: MAX_BOTS + 1 }, (_, count) => [
      String(count),
      count ? plural("{count} bot", "{count} bots", count) : t("none"),
    ]);
    this.counts = select(counts, "0", { id: "bot-count" });
    const bots = el(
      "div.field",
      el("label", { for: this.counts.id }, t("Bots")),
      this.counts,
      el("label", { for: levels.id }, t("Level")),
      levels,
      about,
    );
    this.root.append(this.rules.root, bots);
  }

  /** Returns the commands that set the table up as chosen. */
  commands() {
    if (!this.rules) return [];
    const bot = { do: "bot", action: "add", what: this.levels.value };
    return [
      ...this.rules.changes().map(([setting, value]) => ({ do: "set", setting, value })),
      ...Array(Number(this.counts.value)).fill(bot),
    ];
  }
}

if (location.hash.startsWith(HOST)) {
  localStore.write("invitation", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
const main = find("main");
drawTitle(find("h1"));
main.append(el("footer", themeField(), languageField("")));
find(".begin").append(quickStart(), moreChoices());
refresh();
setInterval(refresh, REFRESH_MS);
document.addEventListener("visibilitychange", refresh);

/** Draws the list of open tables anew, if it has changed. */
async function refresh() {
  if (document.visibilityState !== "visible") return;
  const rooms = await fetch("rooms.json")
    .then((response) => response.json())
    .catch(() => null);
  if (!rooms) return;
  const drawn = rooms.length
    ? el("ul.tables", ...rooms.map(roomItem))
    : el("p", t("None at the moment. Create one, and send its link to your friends."));
  const before = find("#rooms > :is(ul, p)");
  if (before.textContent !== drawn.textContent || before.className !== drawn.className)
    before.replaceWith(drawn);
  showBoard(rooms.find(({ playing, locked }) => playing && !locked));
}

/** Shows the board of a game that is being played, as it is now; none if there is none. */
function showBoard(room) {
  const shown = find("#live");
  if (!room) return shown?.remove();
  const alt = t("The game in {name} now", room);
  const src = `t/${room.name}/card.png?${Date.now()}`;
  const hide = () => find("#live")?.remove();
  const image = el("img", { src, alt, width: "1200", height: "630", error: hide });
  const link = el("a", { id: "live", href: `t/${room.name}` }, image);
  if (!shown) find("#rooms > h2").after(link);
  else image.decode().then(() => shown.replaceWith(link), hide);
}

/** Draws the name of the server in tiles. */
function drawTitle(heading) {
  const text = heading.textContent;
  const tiles = [...text.toUpperCase()].map((letter) => el("span", tileFace(letter, 0)));
  heading.replaceChildren(
    el("span.sr-only", text),
    el("span.letters", { "aria-hidden": "true" }, ...tiles),
  );
}

function roomItem({ name, people, seated, playing, locked }) {
  const facts = [
    t("{people} here", { people }),
    t("{seated} seated", { seated }),
    playing && t("a game is on"),
    locked && t("locked"),
  ];
  const text = facts.filter(Boolean).join(" \u00b7 ");
  return el("li", el("a", { href: `t/${name}` }, el("b", name), el("span", text)));
}

function suggestName() {
  const pick = (words) => words[Math.floor(Math.random() * words.length)];
  return `${pick(ADJECTIVES.split(","))}-${pick(PLACES.split(","))}`;
}

/** Starts a room at once: the name is asked for there, if it is not known. */
function start(room, wishes) {
  const known = localStore.read("name") ?? "";
  sessionStore.write(`table ${room}`, { name: known, wishes });
  location.assign(`t/${encodeURIComponent(room)}`);
}

/** The two ways to begin, a tap each. */
function quickStart() {
  const withFriends = () => start(suggestName(), []);
  const againstBot = () => start(suggestName(), AGAINST_BOT);
  return el(
    "div.quick-start",
    button(t("Play with friends"), withFriends, { class: "main" }),
    button(t("Play the computer"), againstBot, { class: "main" }),
  );
}

/** The form for who wants to choose the name of the room, its rules and bots. */
function moreChoices() {
  return el("details.panel", { id: "create" }, el("summary", t("Create a room")), startForm());
}

function startForm() {
  const field = (attributes) => el("input", { required: true, spellcheck: "false", ...attributes });
  const room = field({
    id: "table-name",
    pattern: ROOM_PATTERN,
    maxlength: "32",
    autocomplete: "off",
    autocapitalize: "none",
    value: suggestName(),
    "aria-describedby": "about-table",
  });
  const player = field({
    id: "your-name",
    maxlength: "20",
    autocomplete: "nickname",
    value: localStore.read("name") ?? "",
  });
  const setup = new SetupFields();
  const submit = () => {
    const roomName = room.value.trim().toLowerCase();
    const playerName = player.value.trim();
    localStore.write("name", playerName);
    sessionStore.write(`table ${roomName}`, { name: playerName, wishes: setup.commands() });
    location.assign(`t/${encodeURIComponent(roomName)}`);
  };
  const about = t(
    "Small letters, digits and -. Its address is the invitation: send it, or show its QR code.",
  );
  return form(
    submit,
    { class: "start" },
    el("label.field", { for: player.id }, t("Your name"), player),
    el("label.field", { for: room.id }, t("Room name"), room),
    el("p.note", { id: "about-table" }, about),
    setup.root,
    el("button.main", { type: "submit" }, t("Create room")),
  );
}
