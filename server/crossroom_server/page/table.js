// The page of a room. It holds no rules: it draws what the server sends, and asks the server.

import { beep, el, find, memory, passing, set, write } from "./base.js";
import { Board } from "./board.js";
import { Composition } from "./compose.js";
import * as dialogs from "./dialogs.js";
import { Door } from "./door.js";
import { Hand } from "./hand.js";
import { Line, UNSENT } from "./line.js";
import { Lounge } from "./lounge.js";
import { menu } from "./menu.js";
import { Log, Players, unseen, words } from "./panels.js";
import { say } from "./speech.js";
import { Offers, Tools, standing } from "./tools.js";
import { Trial } from "./trial.js";

const SLOW = 300; // ms without an answer, before it is said that a move is under way
const LATE = 1_000; // ms without a line, before that is said
const LINKS = {
  open: "",
  opening: say("Connecting\u2026"),
  lost: say("Connecting\u2026"),
  elsewhere: say("In another tab"),
  closed: say("Away"),
};
/** Why the line does not come back by itself: head, text, the way back. */
const AWAY = {
  elsewhere: [
    say("Playing in another tab"),
    say("Your seat is in use in another tab or on another device."),
    say("Play here"),
  ],
  closed: [
    say("You are not at the table"),
    say("The server closed the connection."),
    say("Come back"),
  ],
};
const BROKEN = say("The line broke before an answer came. What came of it shows when it is back.");
const ROOT = "../";
const path = location.pathname.toLowerCase();
const name = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));

const line = new Line(location.href.replace(/^http/, "ws").replace(/[?#].*$/, ""), {
  hear,
  greet: () => door.greet(),
  stand,
});
line.open(); // at once: what follows is ready before the first word comes

/** All that is known here: the view that came last, the one that is shown, the rules, the log. */
const table = {
  name,
  path,
  root: ROOT,
  sent: null,
  view: null,
  rules: null,
  seq: null,
  last: null,
  inside: false,
  naming: false,
  resuming: false,
  tried: null,
  said: null,
  sending: false,
};
const composition = new Composition();
const tap = (row, col) => hand.point(row, col);
const act = { tap, send, recall, changed, say: announce, letters, isPaused };
const board = new Board(composition, act);
const hand = new Hand(composition, board, act);
const players = new Players();
const log = new Log(talk);
const lounge = new Lounge(table, order, { invite: () => show.invite(), form: () => show.rules() });
const live = el("div", { class: "hidden", "aria-live": "polite", role: "status" });
const status = el("p", { class: "status" });
const tools = new Tools(table, composition, line, { order, recall, shuffle, send, values });
const trial = new Trial(table, composition, line, { announce, draw });
const offers = new Offers(table, order);
const door = new Door(table, line, { tell, settle, draw, past });
table.sit = () => door.sit();
const bag = el("section", { class: "panel bag" });
const others = el("p", { class: "words" });
const link = el("span", { class: "link", role: "status" });
const show = menu(table, { order, line, announce, ways: find("template").content.firstElementChild });
document.body.append(live);

find(".bar").append(link);
setTimeout(() => line.state === "opening" && write(link, LINKS.opening), LATE);

/** Puts everything into the page, once there is something to see. */
function furnish() {
  if (players.root.isConnected) return;
  find(".bar").append(
    el("button", { type: "button", click: () => show.invite() }, say("Invite")),
    el("button", { type: "button", click: () => show.menu() }, say("Menu")),
  );
  find(".left").replaceChildren(players.root, offers.root, lounge.root, bag, others);
  for (const blank of document.querySelectorAll(".felt ~ *")) blank.remove();
  find(".felt").after(status, hand.root, tools.root);
  find(".right").replaceChildren(log.root);
  set(find("main"), "aria-busy", null);
}

hand.root.addEventListener(
  "keydown",
  (event) => !["Enter", " ", "Tab"].includes(event.key) && board.key(event),
);

// The connection.

let asking = null;
let reason = "";

function stand(state, why) {
  write(link, LINKS[state]);
  set(document.body, "data-line", state);
  reason = why;
  if (state in AWAY) away();
  if (state === "open") table.said = null; // of the line that was lost
  draw();
}

/** Asks whether to come back, as often as somebody wants to do something here. */
function away() {
  const [head, text, yes] = AWAY[line.state];
  asking ??= dialogs.confirm(head, [reason || text], yes, { no: say("Leave it") }).then((back) => {
    asking = null;
    if (back) line.open();
  });
}

let slow = 0;

/** Sends a command; a refusal is shown. True if it was carried out. One move at a time is under way. */
async function order(command) {
  const moves = "turn" in command;
  if (moves && slow) return false;
  if (moves) slow = setTimeout(() => ((table.sending = true), draw()), SLOW);
  const { refused, lost, sent } = await line.ask(command);
  if (moves) {
    clearTimeout(slow);
    slow = 0;
    table.sending = false;
    draw();
  }
  if (refused) tell(refused.text);
  if (lost) tell(sent ? BROKEN : UNSENT);
  if (lost && line.state in AWAY) away();
  return !refused && !lost;
}

/** Says something to the table, unless it was meant for the server: that may be a secret. */
function talk(text) {
  if (!text.startsWith("/")) return order({ do: "say", text });
  tell(say("Commands are for terminals; here the menu has what they do"));
  return Promise.resolve(false);
}

/** Shows a line below the board, which may be out of sight on a phone, and reads it out. */
function tell(text) {
  table.said = text;
  announce(text);
  draw();
  requestAnimationFrame(() => status.scrollIntoView({ block: "nearest" }));
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
      door.welcomed();
      break;
    case "name":
      door.named(notice.code);
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
  if (table.resuming && seq !== table.seq + 1) return; // told to a watcher; we are told again
  table.seq = seq;
  const fresh = log.entry(seq, event.kind, plain);
  learn(event);
  if (fresh && !table.resuming) {
    players.learn(at);
    table.said = null;
    if (room.name === null || event.name !== room.name || event.kind !== "said")
      announce(words(plain).join(" "));
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
  if (about === "people") look();
}

/** Asks for the view, soon: who is here is in no entry of the log. */
function look() {
  clearTimeout(looking);
  looking = setTimeout(() => line.ask({ do: "state" }), 300);
}

function take(room) {
  table.sent = room;
  if (!table.resuming) settle(); // until then the server shows what a watcher sees
}

/** Makes what the server sent last the view, and brings the tiles in hand in line with it. */
function settle() {
  const view = (table.view = table.sent);
  if (!view) return;
  const { game } = view;
  const mine =
    game && game.seat !== null && game.phase !== "over" ? game.players[game.seat].rack : [];
  composition.sync(rows(), mine ?? [], game?.reclaimable);
  const memo = passing.read(`tiles ${path}`);
  if (memo && !table.restored && game) {
    if (memo.game === view.games) composition.restore(memo.tiles);
    table.restored = true;
    changed();
  }
  trial.consider();
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
  trial.consider();
  draw();
}

/** What a blank may stand for. */
function letters() {
  return [...values().keys()].filter((tile) => tile !== "?");
}

function isPaused() {
  return Boolean(table.view.game?.adjourned);
}

function values() {
  return new Map(rules().tiles.kinds.map(({ tile, points }) => [tile, points]));
}

function shuffle() {
  composition.shuffle();
  draw();
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
  else if (composition.placed.length) tell(trial.words);
  return true;
}

// What is drawn: at most once a frame.

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
  furnish();
  const playing = game !== null && game.phase !== "over";
  const seated = playing && game.seat !== null;
  const mine =
    seated &&
    (game.phase === "last_word" ? game.awaited.includes(game.seat) : game.on_turn === game.seat) &&
    !game.adjourned;
  const layout = rules().layout.rows;
  const fits = layout.length === rows().length && layout[0].length === composition.board[0]?.length;
  board.lay(fits ? layout : composition.board.map((row) => ".".repeat(row.length)));
  const latest = new Set(
    (table.last?.laid ?? []).map(([[row, col]]) => `${row + 1}${String.fromCharCode(65 + col)}`),
  );
  board.draw(values(), latest, playing);
  hand.draw(values(), rules().rack);
  set(hand.root, "hidden", !seated);
  players.draw({ ...view, rackSize: rules().rack });
  set(players.root, "hidden", !game);
  lounge.draw();
  tools.draw(game, seated);
  offers.draw(view.offer);
  if (game)
    bag.replaceChildren(
      el("h2", {}, say("Bag {bag}", game)),
      el("p", { class: "words" }, say("Tiles you have not seen")),
      unseen(game, rules().tiles.kinds),
    );
  set(bag, "hidden", !playing);
  write(others, view.watchers.length ? say("Watching: {names}", { names: view.watchers.join(", ") }) : "");
  const told = table.said ?? (trial.words || standing(game, mine));
  write(status, table.sending ? say("Sending\u2026") : told);
  set(status, "data-kind", table.said || table.tried?.refused ? "bad" : mine ? "mine" : null);
  dialogs.review();
  document.title = mine ? say("\u25cf Your turn \u2013 {name}", { name }) : name;
  if (mine && document.activeElement === document.body) board.focus();
}
