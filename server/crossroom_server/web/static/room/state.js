// What is known of the room: the view that is shown, the rules, and what we may do.

import { t } from "../core/i18n.js";

/** The server's root, from the page of a room. */
export const ROOT = "../";

const DEFAULT_SEATS = 4;
const ROLES = ["watcher", "player", "moderator", "owner"];

/** Tells whether a role is above another: who has it may keep the others in order. */
export const outranks = (role, other) => ROLES.indexOf(role) > ROLES.indexOf(other);

/** Tells whether a player of the running game has to act now. */
export function isToMove(game, seat) {
  if (game.phase === "over" || game.adjourned) return false;
  return game.phase === "last_word" ? game.awaited.includes(seat) : game.on_turn === seat;
}

export class RoomState {
  constructor(name, path) {
    this.name = name;
    this.path = path; // of the page, which is also its key in what the browser remembers
    this.view = null; // the RoomView that is shown
    this.roomRules = null; // of the next game
    this.gameRules = null; // of the game on the table
    this.latestPlay = null;
    this.seq = null; // of the newest log entry
  }

  setView(view) {
    this.view = view;
  }

  setRules(rules) {
    this.roomRules = rules ?? this.roomRules;
  }

  get game() {
    return this.view?.game ?? null;
  }

  get isPlaying() {
    return this.game !== null && this.game.phase !== "over";
  }

  /** Do we play in the running game? */
  get isSeated() {
    return this.isPlaying && this.game.seat !== null;
  }

  get isMyTurn() {
    return this.isSeated && isToMove(this.game, this.game.seat);
  }

  get isOnTurn() {
    return this.isSeated && this.game.on_turn === this.game.seat;
  }

  get seatCount() {
    return this.rules?.players ?? DEFAULT_SEATS;
  }

  /** Does a newcomer get a seat? Between games that of who is away is free, too. */
  get hasFreeSeat() {
    const { seats } = this.view;
    const isTaken = ({ bot, here }) => Boolean(bot) || here;
    return !this.isPlaying && (seats.length < this.seatCount || !seats.every(isTaken));
  }

  get isPaused() {
    return Boolean(this.game?.adjourned);
  }

  get isLocked() {
    return this.view.door !== "open";
  }

  get isModerator() {
    return outranks(this.view.role, "player");
  }

  /** May we make this kind of move now? The server says which we may. */
  may(option) {
    return this.isSeated && this.game.options.includes(option);
  }

  get rules() {
    return (this.isPlaying && this.gameRules) || this.roomRules;
  }

  get boardRows() {
    return this.game?.board ?? this.rules.layout.rows.map((row) => ".".repeat(row.length));
  }

  get ownTiles() {
    return (this.isSeated && this.game.players[this.game.seat].rack) || [];
  }

  /** The points of each kind of tile. */
  get tilePoints() {
    return new Map(this.rules.tiles.kinds.map(({ tile, points }) => [tile, points]));
  }

  /** The letters that a blank may stand for. */
  get blankLetters() {
    return [...this.tilePoints.keys()].filter((tile) => tile !== "?");
  }

  /** Takes from a log entry what views do not say: the rules, and the latest play. */
  apply(seq, event) {
    this.seq = Math.max(this.seq ?? 0, seq);
    if (event.kind === "rules_changed") this.roomRules = event.rules;
    if (event.kind !== "moved") return;
    for (const part of event.events) {
      if (part.kind === "started") this.gameRules = part.rules;
      if (part.kind === "played") this.latestPlay = part;
      else if (["withdrawn", "undone", "started"].includes(part.kind)) this.latestPlay = null;
    }
  }

  /** Whose turn it is, in a few words; empty without a game. */
  get turnText() {
    if (!this.isPlaying) return "";
    const { game } = this;
    if (game.adjourned) return t("The game is adjourned; it goes on when all are back and ready");
    if (game.phase !== "last_word")
      return this.isMyTurn ? t("Your turn") : t("{name} to move", game.players[game.on_turn]);
    if (this.isMyTurn) return t("The last play: accept or challenge");
    const names = game.awaited.map((seat) => game.players[seat].name).join(", ");
    return t("Waiting for {names}", { names });
  }
}
