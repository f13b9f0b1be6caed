// The players of a game, with their scores and clocks.

import { el, find, setAttribute, setText } from "../core/dom.js";
import { plural, t } from "../core/i18n.js";
import { isToMove } from "./state.js";

const TICK_MS = 250;
const DAY_S = 86400;
const LOW_MS = 60_000; // of time left, from which a clock is marked

export class Players {
  constructor(state) {
    this.state = state;
    this.game = null; // that is drawn
    this.root = el("ol.players", { "aria-label": t("Players") });
    this.clockOffset = offsetFromPage(); // ms that the server's clock is ahead of ours
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Sets our clock by the time of an entry that has just happened. */
  syncClock(at) {
    this.clockOffset = at - performance.now();
  }

  draw() {
    this.game = this.state.game;
    const players = this.game?.players ?? [];
    this.root.replaceChildren(...players.map((player, seat) => this.card(player, seat)));
    setAttribute(this.root, "data-count", players.length);
    setAttribute(this.root, "hidden", !this.game);
    this.tick();
  }

  card(player, seat) {
    const { game, rules, view } = this.state;
    const isOver = game.phase === "over";
    const isWinner = isOver && game.winners.includes(seat);
    const isMoving = isToMove(game, seat);
    const isOwn = seat === game.seat;
    const member = view.seats.find(({ name }) => name === player.name);
    const isAway = member && !member.here;
    const tiles = plural("{count} tile", "{count} tiles", player.tiles);
    const facts = [
      isWinner && t("winner"),
      player.retired && t("out"),
      isMoving && t("to move"),
      !isOver && isAway && t("away"),
      member?.stand_in && t("a bot stands in"),
      member?.program && t("a program"),
      player.forfeits > 0 && t("loses a turn"),
      !isOver && player.tiles !== rules.rack && tiles,
    ];
    return el(
      "li.player",
      { "data-own": isOwn, "data-moving": isMoving },
      el(
        "span.name",
        player.name,
        isOwn && el("span.suffix", t(" (you)")),
        member?.bot && el("span.suffix", t(" bot")),
      ),
      el("span.score", String(player.score)),
      el("span.facts", facts.filter(Boolean).join(", ")),
      el("span.clock"),
    );
  }

  tick() {
    const now = performance.now() + this.clockOffset;
    [...this.root.children].forEach((card, seat) => {
      const { ms, title, isLow } = clockOf(this.game, seat, now);
      const clock = find(".clock", card);
      setText(clock, formatClock(ms));
      setAttribute(clock, "data-low", isLow);
      setAttribute(clock, "title", title);
    });
  }
}

/** Estimates how far the server's clock is ahead of ours, in ms, by when the page was sent. */
function offsetFromPage() {
  const [load] = performance.getEntriesByType("navigation");
  return Number(find("main").dataset.now) - (load?.responseStart ?? 0);
}

/** What the clock of a seat shows: the time left where there is a limit, else the time used. */
function clockOf(game, seat, now) {
  const { allowed, used: before } = game.players[seat];
  const isAnswering = game.phase === "last_word" && game.awaited.includes(seat);
  const isRunning = game.since !== null && game.on_turn === seat && game.phase === "playing";
  const used = before + (isRunning ? Math.max(0, now - game.since) : 0);
  const countdown = (ms, title) => ({ ms, title, isLow: ms < LOW_MS });
  const waiting = isAnswering ? t("time to answer") : t("time for this turn");
  if (game.due !== null && (isAnswering || (isRunning && allowed === null)))
    return countdown(Math.max(0, game.due - now), waiting);
  if (allowed !== null)
    return countdown(allowed - used, used > allowed ? t("overtime") : t("time left"));
  return { ms: Math.floor(used / 1000) * 1000, title: t("time used"), isLow: false };
}

/** Formats ms as `1:05`, `1:01:05` or `2 d 1:01:05`, rounded up; below zero with a minus. */
function formatClock(ms) {
  const all = Math.abs(ms < 0 ? Math.floor(ms / 1000) : Math.ceil(ms / 1000));
  const [days, seconds] = [Math.floor(all / DAY_S), all % DAY_S];
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] || days ? parts : parts.slice(1);
  const time = shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
  const text = days ? t("{days} d {time}", { days, time }) : time;
  return ms < 0 ? `\u2212${text}` : text;
}
