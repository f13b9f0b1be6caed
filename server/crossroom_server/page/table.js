// The page of a room. It holds no rules: it draws what the server sends, and asks the server.

import { dress, el, find, memory, passing, set, write } from "./base.js";
import { Board } from "./board.js";
import { Composition } from "./compose.js";
import * as dialogs from "./dialogs.js";
import { Hand } from "./hand.js";
import { Line } from "./line.js";
import { Lounge } from "./lounge.js";
import { menu } from "./menu.js";
import { Log, Players, unseen, words } from "./panels.js";

const TRY_AFTER = 150; // ms without another change, before the server is asked what a play is worth
const ROOT = "../";
const path = location.pathname.toLowerCase();
const name = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));

const line = new Line(location.href.replace(/^http/, "ws").replace(/[?#].*$/, ""), { hear, greet, stand });
line.open(); // at once: what follows is ready before the first word comes

/** All that is known here: the newest view of the room, its rules, and how far its log was heard. */
const table = { name, root: ROOT, view: null, rules: null, seq: null, last: null, inside: false, resuming: false, tried: null, said: null };
const composition = new Composition();
const act = { tap, send, recall, changed, say: announce, lay };
const board = new Board(composition, act);
const hand = new Hand(composition, board, act);
const players = new Players();
const log = new Log((text) => order({ do: "say", text }));
const lounge = new Lounge(table, order, { invite: () => show.invite(), form: () => show.rules() });
const live = el("div", { class: "hidden", "aria-live": "polite", role: "status" });
const status = el("p", { class: "status" });
const buttons = el("div", { class: "buttons" });
const offer = el("div", { class: "offer panel", role: "region", "aria-label": "An offer" });
const bag = el("section", { class: "panel bag" });
const others = el("p", { class: "words" });
const link = el("span", { class: "link", role: "status" });
const title = el("h1", {}, name);
const show = menu(table, { order, line, announce, ways: find("#ways") });

dress();
document.body.className = "table";
find("main").replaceWith(
  el("header", { class: "bar" }, el("a", { href: ROOT, class: "home", "aria-label": "All tables" }, "\u2039"), title, link, el("button", { type: "button", click: () => show.invite() }, "Invite"), el("button", { type: "button", click: () => show.menu() }, "Menu")),
  el("main", {}, el("div", { class: "left" }, players.root, lounge.root, bag, others), el("div", { class: "stage" }, el("div", { class: "felt" }, board.root), offer, status, hand.root, buttons), el("div", { class: "right" }, log.root)),
  live,
);
hand.root.addEventListener("keydown", (event) => !["Enter", " ", "Tab"].includes(event.key) && board.key(event));

// The connection.

/** A new connection: comes back to the seat, or comes in for the first time. */
async function greet() {
  table.inside = false;
  const fresh = table.seq === null;
  table.resuming = memory.read(`seat ${path}`) !== null;
  await line.ask({ do: "set", setting: "reader", value: "on" });
  const resumes = await resumed();
  if (!resumes) {
    if (!table.inside && !(await admitted())) return;
    await introduce();
  }
  if (fresh || !resumes) {
    const { notices } = await line.ask({ do: "recall", last: 200 });
    for (const { entries } of notices) entries.forEach(past);
  }
  draw();
}

async function resumed() {
  const code = memory.read(`seat ${path}`);
  if (!code) return false;
  const { refused, lost } = await line.ask({ do: "resume", code, seq: table.seq });
  table.resuming = false;
  if (lost) return true;
  if (!refused) return true;
  if (refused.code === "BAD_TOKEN") memory.keep(`seat ${path}`, null);
  else tell(refused.text);
  settle();
  return refused.code !== "BAD_TOKEN";
}

/** Comes in where the door was shut; or learns why not, and goes back to the other tables. */
async function admitted() {
  const { barred } = table;
  const open = barred?.code === "NEED_KEY" ? await unlock() : await dialogs.read("You cannot come in", [barred?.text ?? ""]);
  if (!open) location.assign(ROOT);
  return open;
}

/** A locked room: asks for its password, or for what an invitation says after `#`. */
async function unlock() {
  let key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  for (let why = "This table is locked. Its password, or what your invitation says:"; ; ) {
    if (!key) {
      const input = el("input", { type: "password", autocomplete: "off", autofocus: true, maxlength: "64" });
      const given = await dialogs.text("Locked", why, input, "Come in");
      if (!given) return false;
      key = given.text;
    }
    const { refused } = await line.ask({ do: "join", room: name, key });
    if (!refused) return true;
    why = refused.code === "NEED_KEY" ? "That does not open it. Its password, or what your invitation says:" : `${refused.text}:`;
    key = "";
  }
}

/** Says who we are: as chosen in the lobby, or asked here; or watches. */
async function introduce() {
  const chosen = passing.read(`table ${name}`);
  passing.keep(`table ${name}`, null);
  let refused = null;
  if (chosen) {
    ({ refused } = await line.ask({ do: "name", name: chosen.name }));
    if (!refused) return prepare(chosen);
  }
  if (!passing.read(`watching ${path}`)) await sit(refused?.text);
}

async function sit(why = "") {
  for (let wrong = why; ; ) {
    const input = el("input", { autocomplete: "nickname", maxlength: "20", spellcheck: "false", autofocus: true, value: memory.read("name") ?? "" });
    const given = await dialogs.text(`Table ${name}`, wrong ? `${wrong}. Your name:` : "What shall we call you?", input, "Take a seat", { other: "Just watch" });
    passing.keep(`watching ${path}`, given?.text ? null : true);
    if (!given?.text) return draw();
    const { refused, lost } = await line.ask({ do: "name", name: given.text });
    if (lost) return;
    if (!refused) return memory.keep("name", given.text);
    wrong = refused.text;
  }
}
table.sit = sit;

async function prepare({ settings, bots }) {
  for (const [setting, value] of settings) await order({ do: "set", setting, value });
  for (const what of bots) await order({ do: "bot", action: "add", what });
}

let elsewhere = null;

function stand(state, why) {
  write(link, { open: "", lost: "Connecting\u2026", elsewhere: "In another tab", closed: "Away" }[state]);
  set(document.body, "data-line", state);
  if (state === "elsewhere" || state === "closed") {
    const [head, text, yes] = state === "elsewhere" ? ["Playing in another tab", "Your seat is in use in another tab or on another device.", "Play here"] : ["You are not at the table", why || "The server closed the connection.", "Come back"];
    elsewhere ??= dialogs.confirm(head, [text], yes, "Leave it").then((back) => {
      elsewhere = null;
      if (back) line.open();
    });
  }
  draw();
}

/** Sends a command; a refusal is shown. True if it was carried out. */
async function order(command) {
  const { refused, lost } = await line.ask(command);
  if (refused) tell(refused.text);
  if (lost) tell("No connection; nothing was sent. It comes back by itself.");
  return !refused && !lost;
}

/** Shows a line beside the board and reads it out. */
function tell(text) {
  table.said = text;
  announce(text);
  draw();
}

function announce(text) {
  live.replaceChildren(el("p", {}, text));
}

// What is heard.

function hear(notice) {
  switch (notice.tell) {
    case "welcome":
      table.inside = notice.room !== null;
      if (notice.rules) table.rules = notice.rules;
      if (notice.room) take(notice.room);
      break;
    case "name":
      memory.keep(`seat ${path}`, notice.code);
      break;
    case "live":
      table.rules = notice.rules;
      table.resuming = false;
      settle();
      break;
    case "event":
      happened(notice);
      break;
    case "turn":
      if (!table.resuming) announce(words(notice.plain).join(" "));
      take(notice.room);
      if (!table.resuming) beep(660);
      break;
    case "state":
      take(notice.room);
      break;
    case "note":
      if (!notice.id) noted(notice);
      break;
    case "refused":
      if (!notice.id) table.barred = notice;
      if (!notice.id && table.inside) tell(notice.text);
      break;
  }
}

function happened({ seq, at, event, room, plain }) {
  table.seq = seq;
  const fresh = log.entry(seq, event.kind, plain);
  learn(event);
  if (fresh && !table.resuming) {
    players.learn(at);
    table.said = null;
    if (room.name === null || event.name !== room.name || event.kind !== "said") announce(words(plain).join(" "));
    if (event.kind === "moved" && event.seat !== room.game?.seat) beep(440);
  }
  take(room);
}

/** An entry from before we came; all that came since is told again with it, in order. */
function past({ seq, event, plain }) {
  log.entry(seq, event.kind, plain);
  learn(event);
  table.seq = Math.max(table.seq ?? 0, seq);
}

/** What the views do not say: the rules that hold, and which tiles were laid last. */
function learn(event) {
  if (event.kind === "rules_changed") table.rules = event.rules;
  if (event.kind !== "moved") return;
  for (const one of event.events) {
    if (one.kind === "started") table.playing = one.rules;
    if (one.kind === "played") table.last = one;
    else if (["withdrawn", "undone", "started"].includes(one.kind)) table.last = null;
  }
}

let looking = 0;

function noted({ plain, about }) {
  log.note(words(plain));
  if (about !== "people") return;
  clearTimeout(looking); // who is here is in no entry: ask for the view
  looking = setTimeout(() => line.ask({ do: "state" }), 300);
}

function take(room) {
  table.view = room;
  if (!table.resuming) settle();
}

/** Brings the tiles in hand in line with the view. */
function settle() {
  const { view } = table;
  if (!view) return;
  const { game } = view;
  const mine = game && game.seat !== null && game.phase !== "over" ? game.players[game.seat].rack : [];
  composition.sync(rows(), mine ?? [], game?.reclaimable);
  const memo = passing.read(`tiles ${path}`);
  if (memo && !table.restored && game) {
    if (memo.game === view.games) composition.restore(memo.tiles);
    table.restored = true;
    changed();
  }
  consider();
  draw();
}

function rules() {
  const { view } = table;
  return (view?.game && view.game.phase !== "over" && table.playing) || table.rules;
}

function rows() {
  return table.view.game?.board ?? rules().layout.rows.map((row) => ".".repeat(row.length));
}

// What the hands do.

function changed() {
  table.said = null;
  passing.keep(`tiles ${path}`, { game: table.view?.games, tiles: composition.memo });
  consider();
  draw();
}

let thinking = 0;

/** Asks what the play would be worth, once the tiles lie still. */
function consider() {
  const play = composition.play;
  const key = play && JSON.stringify([play, table.view.game?.version]);
  if (key === (table.tried?.key ?? null)) return;
  table.tried = key && { key };
  clearTimeout(thinking);
  if (key) thinking = setTimeout(() => attempt(play, key), TRY_AFTER);
}

async function attempt(play, key) {
  const { notices, refused, lost } = await line.ask({ do: "try", ...play });
  if (table.tried?.key !== key) return;
  if (lost) {
    table.tried = null; // it is asked again on the next line
    return;
  }
  table.tried = { key, refused, ...notices.find(({ tell: kind }) => kind === "tried") };
  announce(considered());
  draw();
}

function considered() {
  const { tried } = table;
  if (!composition.placed.length) return "";
  if (!tried) return "These tiles do not make one line yet";
  if (tried.refused) return tried.refused.text;
  if (!tried.words) return "\u2026";
  const judged = tried.good === null ? "" : tried.good ? " \u2713 in the word list" : " \u2717 not in the word list";
  return `${tried.words.join(", ")}: ${tried.points} points${judged}`;
}

function tap(row, col) {
  const held = composition.placedAt(row, col);
  if (hand.selected) return lay(hand.selected, row, col, false);
  const { cursor } = composition;
  if (held) composition.lift(held);
  else if (cursor && cursor.row === row && cursor.col === col) cursor.across = !cursor.across;
  else composition.cursor = { row, col, across: cursor?.across ?? true };
  changed();
}

/** Lays a tile, asking what a blank stands for; *along*: the cursor goes on. */
async function lay(held, row, col, along) {
  let letter = held.tile;
  if (letter === "?") {
    const kinds = rules().tiles.kinds.map(({ tile }) => tile);
    letter = held.at && held.letter !== "?" ? held.letter : await dialogs.blank(kinds.filter((tile) => tile !== "?"));
    if (!letter) return;
  }
  hand.selected = null;
  if (composition.place(held, row, col, letter)) {
    announce(`${letter} on ${board.cells[row][col].dataset.at}`);
    if (along) composition.advance();
    else composition.cursor = null;
  }
  changed();
}

function recall() {
  hand.selected = null;
  if (!composition.placed.length) composition.cursor = null;
  composition.recall();
  changed();
  return true;
}

function send() {
  const { play } = composition;
  const { game } = table.view;
  if (play && game) order({ do: "play", ...play, turn: game.turn });
  else if (composition.placed.length) tell(considered());
  return true;
}

async function exchange() {
  const tiles = composition.tiles.filter((held) => !held.lent).map((held) => held.tile);
  const { game } = table.view;
  const points = values();
  const picked = await dialogs.exchange(tiles, points, []);
  const spelt = picked?.map((tile) => ([...tile].length > 1 ? `[${tile}]` : tile)).join("");
  if (picked && (await order({ do: "exchange", tiles: spelt, turn: game.turn }))) recall();
}

async function challenge() {
  const { game } = table.view;
  const { notices } = await line.ask({ do: "rules", section: "challenges" });
  const risks = notices.flatMap(({ plain }) => words(plain).slice(1));
  const doubted = game.open_play?.words.join(", ") ?? "";
  if (await dialogs.confirm(`Challenge ${doubted}?`, risks, "Challenge")) order({ do: "challenge", turn: game.turn });
}

async function pass() {
  const { game } = table.view;
  if (await dialogs.confirm("Pass?", ["Your turn ends without a play."], "Pass")) order({ do: "pass", turn: game.turn });
}

// What is drawn: at most once a frame.

const values = () => new Map(rules().tiles.kinds.map(({ tile, points }) => [tile, points]));
let drawing = 0;

function draw() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    if (table.rules && composition.board.length) paint();
  });
}

function paint() {
  const { view } = table;
  const { game } = view;
  const playing = game !== null && game.phase !== "over";
  const seated = playing && game.seat !== null;
  const mine = seated && (game.phase === "last_word" ? game.awaited.includes(game.seat) : game.on_turn === game.seat) && !game.adjourned;
  const layout = rules().layout.rows;
  const fits = layout.length === rows().length && layout[0].length === composition.board[0]?.length;
  board.lay(fits ? layout : composition.board.map((row) => ".".repeat(row.length)));
  const latest = new Set((table.last?.laid ?? []).map(([[row, col]]) => `${row + 1}${String.fromCharCode(65 + col)}`));
  board.draw(values(), latest, playing);
  hand.draw(values(), rules().rack);
  set(hand.root, "hidden", !seated);
  set(buttons, "hidden", !seated);
  players.draw({ ...view, rackSize: rules().rack });
  set(players.root, "hidden", !game);
  lounge.draw();
  tools(game, seated);
  offered(view.offer);
  if (game) bag.replaceChildren(el("h2", {}, `Bag ${game.bag}`), el("p", { class: "words" }, "Tiles you have not seen"), unseen(game, rules().tiles.kinds));
  set(bag, "hidden", !playing);
  write(others, view.watchers.length ? `Watching: ${view.watchers.join(", ")}` : "");
  write(status, table.said ?? (considered() || standing(game, mine)));
  set(status, "data-kind", table.said || table.tried?.refused ? "bad" : mine ? "mine" : null);
  document.title = `${mine ? "\u25cf Your turn \u2013 " : ""}${name}`;
  if (mine && document.activeElement === document.body) board.focus();
}

function standing(game, mine) {
  if (!game || game.phase === "over") return "";
  if (game.adjourned) return "The game is adjourned; it goes on when all are back and ready";
  if (game.phase === "last_word") return mine ? "The last play: accept or challenge" : `Waiting for ${game.awaited.map((seat) => game.players[seat].name).join(", ")}`;
  return mine ? "Your turn" : `${game.players[game.on_turn].name} to move`;
}

function tools(game, seated) {
  if (!seated) return;
  const may = new Set(game.options);
  const placed = composition.placed.length > 0;
  const points = table.tried?.points;
  const wanted = [
    ["shuffle", placed ? "Recall" : "Shuffle", placed ? recall : shuffle, true],
    ["exchange", "Exchange", exchange, may.has("exchange")],
    ["pass", "Pass", pass, may.has("pass")],
    ["challenge", "Challenge", challenge, may.has("challenge")],
    may.has("accept") ? ["main", "Accept", () => order({ do: "accept", turn: game.turn }), true] : ["main", placed && points !== undefined ? `Play ${points}` : "Play", send, may.has("place") && placed],
  ];
  wanted.forEach(([kind, text, click, can], at) => {
    const button = buttons.children[at] ?? buttons.appendChild(el("button", { type: "button", click: () => button.does() }));
    button.className = kind;
    write(button, text);
    set(button, "aria-disabled", can ? null : "true");
    set(button, "hidden", kind === "challenge" && !can);
    button.does = can ? click : () => {};
  });
}

function shuffle() {
  composition.shuffle();
  draw();
}

/** What another player asks for, or what we asked for. */
function offered(open) {
  set(offer, "hidden", !open);
  const key = open ? `${open.what} ${open.name} ${open.waiting}` : "";
  if (offer.dataset.key === key) return;
  offer.dataset.key = key;
  if (!open) return offer.replaceChildren();
  const own = open.name === table.view.name;
  const asked = open.waiting.includes(table.view.name);
  const what = { undo: "take the latest turn back", adjourn: "stop here and play on another time", abort: "end the game without a result" }[open.what];
  offer.replaceChildren(
    el("p", {}, own ? `You ask to ${what}. Waiting for ${open.waiting.join(", ")}.` : `${open.name} asks to ${what}.`),
    el("div", { class: "answers" }, own && dialogs.button("Take it back", () => order({ do: "decline" })), asked && dialogs.button("Decline", () => order({ do: "decline" })), asked && dialogs.button("Agree", () => order({ do: "agree" }), "main")),
  );
}

let sounds = null;

/** A short tone, where sounds are on. */
function beep(hertz) {
  if (!memory.read("sounds")) return;
  sounds ??= new AudioContext();
  const [tone, volume] = [sounds.createOscillator(), sounds.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.12, sounds.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.25);
  tone.connect(volume).connect(sounds.destination);
  tone.start();
  tone.stop(sounds.currentTime + 0.25);
}
