// The page of a room. It holds no rules: it draws what the server sends, and asks the server.

import { Board } from "../board/board.js";
import { Enlarging } from "../board/enlarging.js";
import { Keyboard } from "../board/keyboard.js";
import { MoveButtons } from "../board/move_buttons.js";
import { Rack } from "../board/rack.js";
import { showReturningTiles } from "../board/returning_tiles.js";
import { ScorePreview } from "../board/score_preview.js";
import { TentativePlay, squareName } from "../board/tentative_play.js";
import { Connection, UNSENT, plainText } from "../core/connection.js";
import { confirm, updateDialogs } from "../core/dialogs.js";
import { button, el, find, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { playTone } from "../core/preferences.js";
import { sessionStore } from "../core/storage.js";
import { BagPanel } from "./bag.js";
import { EntryFlow } from "./entry_flow.js";
import { invite } from "./invitation.js";
import { Log, TalkLine } from "./log.js";
import { Menu } from "./menu.js";
import { OfferPanel } from "./offers.js";
import { Players } from "./players.js";
import { RoomState } from "./state.js";
import { StatusLine, announce } from "./status_line.js";
import { WaitingRoom } from "./waiting_room.js";

const SENDING_AFTER_MS = 300; // without an answer to a move
const CONNECTING_AFTER_MS = 1_000;
const VIEW_DELAY_MS = 300;
const MOVE_HZ = 440;
const TURN_HZ = 660;
const CONNECTION_STATES = {
  open: "",
  lost: t("Connecting\u2026"),
  elsewhere: t("In another tab"),
  closed: t("Away"),
};
/** Why the connection does not reopen by itself: title, text, the way back. */
const CLOSED = {
  elsewhere: [
    t("Playing in another tab"),
    t("Your seat is in use in another tab or on another device."),
    t("Play here"),
  ],
  closed: [t("You have no seat"), t("The server closed the connection."), t("Come back")],
};
const INTERRUPTED = t(
  "The line broke before an answer came. What came of it shows when it is back.",
);

const connection = new Connection(location.href.replace(/^http/, "ws").replace(/[?#].*$/, ""), {
  onNotice: (notice) => noticeHandlers[notice.tell]?.(notice),
  onOpen: () => entry.start(),
  onState: handleConnectionState,
});
connection.open(); // at once: all that follows is ready before the first notice comes

const path = location.pathname.toLowerCase();
const name = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
const memoKey = `tiles ${path}`;

const state = new RoomState(name, path);
const play = new TentativePlay();
const preview = new ScorePreview(state, play, connection, handlePreview);
const callbacks = {
  announce,
  blankLetters: () => state.blankLetters,
  isJoining: () => entry.isJoining,
  join: () => entry.join(),
  invite: () => invite(state, connection, terminalHelp),
  editRules: () => menu.editRules(),
  onChange: handleChange,
  onDrag: (x, y) => enlarging.scrollAtEdge(x, y),
  recall,
  send,
  sendPlay,
  shuffle,
  tapSquare: (row, col) => rack.tapSquare(row, col),
};
const board = new Board(play, callbacks);
const keyboard = new Keyboard(play, board, callbacks);
const rack = new Rack(state, play, board, callbacks);
const enlarging = new Enlarging(board);
const players = new Players(state);
const log = new Log(sendChat);
const talkLine = new TalkLine(log, draw);
document.addEventListener("visibilitychange", () => talkLine.isLogSeen && talkLine.clear());
const waitingRoom = new WaitingRoom(state, callbacks);
const status = new StatusLine(state, preview);
const moveButtons = new MoveButtons(state, play, preview, connection, callbacks);
const offers = new OfferPanel(state, send);
const bag = new BagPanel(state);
const menu = new Menu(state, connection, send, {
  code: () => entry.code,
  comeBack: () => entry.comeBack(),
  forget: () => entry.forget(),
});
const entry = new EntryFlow(state, connection, { showError, applyView, addPast, draw });
const watchers = el("p.note");
const connectionStatus = el("span.connection", { role: "status" });
const terminalHelp = find("template").content.firstElementChild;

find(".bar").append(connectionStatus);
setTimeout(
  () => connection.state === "opening" && setText(connectionStatus, CONNECTION_STATES.lost),
  CONNECTING_AFTER_MS,
);
board.root.addEventListener("keydown", (event) => keyboard.handle(event));
rack.root.addEventListener("keydown", (event) => {
  if (!["Enter", " ", "Tab"].includes(event.key)) keyboard.handle(event);
});

/** Puts everything into the page, once there is something to see. */
function mount() {
  if (players.root.isConnected) return;
  find(".bar").append(
    enlarging.root,
    button(t("Invite"), callbacks.invite),
    button(t("Menu"), () => menu.open()),
  );
  find(".left").replaceChildren(players.root, offers.root, waitingRoom.root, bag.root, watchers);
  for (const placeholder of document.querySelectorAll(".board-frame ~ *")) placeholder.remove();
  find(".board-frame").after(status.root, talkLine.root, rack.root, moveButtons.root);
  find(".right").replaceChildren(log.root);
  setAttribute(find("main"), "aria-busy", null);
}

// The connection.

let closeReason = "";
let isAsking = false;
let sendingTimer = 0;

function handleConnectionState(connectionState, reason) {
  setText(connectionStatus, CONNECTION_STATES[connectionState]);
  setAttribute(document.body, "data-connection", connectionState);
  closeReason = reason;
  if (connectionState in CLOSED) askToReturn();
  if (connectionState === "open") status.clear(); // that was about the lost connection
  draw();
}

/** Asks whether to reconnect, whenever somebody wants to do something while it is closed. */
async function askToReturn() {
  if (isAsking) return;
  isAsking = true;
  const [title, text, yes] = CLOSED[connection.state];
  const isSure = await confirm(title, [closeReason || text], yes, { no: t("Not now") });
  isAsking = false;
  if (isSure) connection.open();
}

/** Sends a command, but one move at a time; a refusal is shown. Resolves to whether it was done. */
async function send(command) {
  const isMove = "turn" in command;
  if (isMove && sendingTimer) return false;
  if (isMove) sendingTimer = setTimeout(() => status.setSending(true), SENDING_AFTER_MS);
  const { refused, lost, sent } = await connection.request(command);
  if (isMove) {
    clearTimeout(sendingTimer);
    sendingTimer = 0;
    status.setSending(false);
    draw();
  }
  if (refused) showError(refused.text);
  if (lost) showError(sent ? INTERRUPTED : UNSENT);
  if (lost && connection.state in CLOSED) askToReturn();
  return !refused && !lost;
}

/** Sends a chat line; for a command, which may contain a secret, opens the menu instead. */
async function sendChat(text) {
  if (text.startsWith("//")) return send({ do: "say", text: text.slice(1) });
  if (!text.startsWith("/")) return send({ do: "say", text });
  menu.open();
  announce(t("Commands are for terminals; the menu here does the same"));
  return true;
}

function showError(text) {
  status.show(text);
}

// Notices of the server.

let latestView = null; // which is shown once we are back at our seat
let viewTimer = 0;

const noticeHandlers = {
  welcome(notice) {
    state.setRules(notice.rules);
    if (notice.room) updateView(notice.room);
    entry.handleWelcome(notice);
  },
  name({ code }) {
    entry.saveCode(code);
    refreshView(); // no entry of the log tells of a watcher's name
  },
  live({ rules }) {
    state.setRules(rules);
    entry.handleLive();
  },
  event: handleEvent,
  turn({ room, plain }) {
    if (!entry.isResuming) announce(plainText(plain).join(" "));
    updateView(room);
    if (!entry.isResuming) playTone(TURN_HZ);
  },
  state: ({ room }) => updateView(room),
  note({ about, plain }) {
    log.addNote(plain);
    if (about === "people") refreshView();
  },
  refused: (notice) => entry.handleRefusal(notice),
};

function handleEvent({ seq, at, event, room, plain }) {
  // A watcher is told it; whoever comes back is told it again, in order.
  if (entry.isResuming && seq !== state.seq + 1) return;
  const isNew = log.addEntry(seq, event.kind, plain);
  if (isNew && !entry.isResuming) showReturn(event);
  state.apply(seq, event);
  if (isNew && !entry.isResuming) {
    players.syncClock(at);
    if (event.kind !== "said") status.clear();
    const isOwnChat = room.name !== null && event.kind === "said" && event.name === room.name;
    const text = plainText(plain).join(" ");
    if (!isOwnChat) announce(text);
    if (!isOwnChat && event.kind === "said") talkLine.show(plain);
    const outcome = challengeOutcome(event, room.game);
    if (outcome) status.tell(outcome);
    if (event.kind === "moved" && event.seat !== room.game?.seat) playTone(MOVE_HZ);
  }
  updateView(room);
}

/** What came of a challenge, in short; null if the event is none. */
function challengeOutcome({ events = [] }, game) {
  const challenged = events.find(({ kind }) => kind === "challenged");
  if (!challenged) return null;
  const { seat, player, bad } = challenged;
  if (!bad.length) return t("All in the word list: {name} challenged in vain", game.players[seat]);
  const { name } = game.players[player];
  return t("Not in the word list: {words}. {name} takes the play back", {
    words: bad.join(", "),
    name,
  });
}

/** Shows the tiles of a play that is taken back on their way, while they are still drawn. */
function showReturn({ events = [] }) {
  const withdrawn = events.find(({ kind }) => kind === "withdrawn");
  if (!withdrawn || !state.latestPlay) return;
  const cells = state.latestPlay.laid.map(([[row, col]]) => board.cells[row][col]);
  const isOwn = withdrawn.seat === state.game?.seat;
  showReturningTiles(cells, isOwn ? rack.root : players.root.children[withdrawn.seat]);
}

/** Adds an entry from before we came. */
function addPast({ seq, event, plain }) {
  log.addEntry(seq, event.kind, plain);
  state.apply(seq, event);
}

/** Asks for the view, soon: who is here is in no entry of the log. */
function refreshView() {
  clearTimeout(viewTimer);
  viewTimer = setTimeout(() => connection.request({ do: "state" }), VIEW_DELAY_MS);
}

function updateView(view) {
  latestView = view;
  if (!entry.isResuming) applyView();
}

/** Shows the latest view, and brings our tiles in line with it. */
function applyView() {
  if (!latestView) return;
  state.setView(latestView);
  play.sync(state.boardRows, state.ownTiles, state.game?.reclaimable);
  if (state.game) restoreTiles();
  draw();
}

let isRestored = false;

/** Places the tiles as they were when the page was left, if that game is still on. */
function restoreTiles() {
  const memo = isRestored ? null : sessionStore.read(memoKey);
  if (!memo) return;
  isRestored = true;
  if (memo.game === state.view.games) play.restore(memo.tiles);
  handleChange();
}

// What players do.

function handleChange() {
  status.clear();
  sessionStore.write(memoKey, { game: state.view?.games, tiles: play.memo });
  draw();
}

function shuffle() {
  play.shuffle();
  draw();
}

function recall() {
  rack.deselect();
  play.recall();
  handleChange();
  return true;
}

function sendPlay() {
  const { notation } = play;
  if (notation && state.game) send({ do: "play", ...notation, turn: state.game.turn });
  else if (play.placed.length) showError(preview.text);
  return true;
}

// Drawing: at most once a frame.

let frame = 0;

function draw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    if (state.rules && play.board.length) drawAll();
  });
}

function drawAll() {
  mount();
  preview.update();
  drawBoard();
  rack.draw();
  players.draw();
  waitingRoom.draw();
  offers.draw();
  bag.draw();
  const names = state.view.watchers.join(", ");
  setText(watchers, names && t("Watching: {names}", { names }));
  drawStatus();
  updateDialogs();
  const title = state.isMyTurn ? t("\u25cf Your turn \u2013 {name}", { name }) : name;
  document.title = talkLine.count ? `(${talkLine.count}) ${title}` : title;
  if (state.isMyTurn && document.activeElement === document.body) board.focus();
}

function drawBoard() {
  const { rows } = state.rules.layout;
  const isSameSize = rows.length === play.board.length && rows[0].length === play.board[0].length;
  board.setLayout(isSameSize ? rows : play.board.map((row) => ".".repeat(row.length)));
  const latest = (state.latestPlay?.laid ?? []).map(([at]) => at);
  const names = latest.map(([row, col]) => squareName(row, col));
  board.draw(state.tilePoints, new Set(names), state.isPlaying);
  enlarging.draw(play.cursor ? [[play.cursor.row, play.cursor.col]] : latest);
}

function drawStatus() {
  moveButtons.draw();
  status.draw();
}

function handlePreview() {
  announce(preview.text);
  drawStatus();
}
