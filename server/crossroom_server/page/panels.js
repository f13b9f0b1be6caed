// What is beside the board: the players and their clocks, the log and the talk, the tiles unseen.

import { clock, el, find, set, write } from "./base.js";
import { say, several } from "./speech.js";

const MOST_LINES = 500; // of the log that are kept on the page

/** Everybody who plays: score, clock, whose turn it is. */
export class Players {
  constructor() {
    this.root = el("ol", { class: "players", "aria-label": say("Players") });
    this.ahead = ahead(); // ms that the server's clock is ahead of ours
    setInterval(() => this.tick(), 250);
  }

  /** Learns from the time of an entry that has just happened. */
  learn(at) {
    this.ahead = at - Date.now();
  }

  draw(room) {
    this.room = room;
    const { game } = room;
    const players = (game?.players ?? []).map((player, seat) => this.player(player, seat, room));
    this.root.replaceChildren(...players);
    set(this.root, "data-count", players.length);
    this.tick();
  }

  player(player, seat, room) {
    const { game } = room;
    const over = game.phase === "over";
    const moving =
      !over &&
      !game.adjourned &&
      (game.phase === "last_word" ? game.awaited.includes(seat) : game.on_turn === seat);
    const chair = room.seats.find((one) => one.name === player.name);
    const state = [
      over && game.winners.includes(seat) && say("winner"),
      player.retired && say("out"),
      moving && say("to move"),
      !over && chair && !chair.here && say("away"),
      chair?.stand_in && say("a bot stands in"),
      player.forfeits > 0 && say("loses a turn"),
      !over &&
        player.tiles !== room.rackSize &&
        several("{count} tile", "{count} tiles", player.tiles),
    ].filter(Boolean);
    const card = this.card(
      player.name,
      String(player.score),
      state.join(", "),
      chair,
      seat === game.seat,
    );
    set(card, "data-moving", moving);
    set(card, "data-winner", over && game.winners.includes(seat));
    card.querySelector(".clock").dataset.seat = String(seat);
    return card;
  }

  card(name, score, state, chair, own = false) {
    return el(
      "li",
      { class: "player", "data-own": own, "data-away": chair && !chair.here },
      el(
        "span",
        { class: "name" },
        name,
        own && el("span", { class: "you" }, say(" (you)")),
        chair?.bot && el("span", { class: "you" }, say(" bot")),
      ),
      el("span", { class: "score" }, score),
      el("span", { class: "state" }, state),
      el("span", { class: "clock" }),
    );
  }

  /** Clocks go on between two words of the server: what was used, and what has run since. */
  tick() {
    const game = this.room?.game;
    if (!game) return;
    const now = Date.now() + this.ahead;
    for (const shown of this.root.querySelectorAll(".clock[data-seat]")) {
      const seat = Number(shown.dataset.seat);
      const { left, used, what } = time(game, seat, now);
      write(shown, left === null ? clock(Math.floor(used / 1000) * 1000) : clock(left));
      set(shown, "data-low", left !== null && left < 60_000);
      set(shown, "title", what);
    }
  }
}

/** How far the server's clock is ahead of ours, in ms, as the page tells that it came with. */
function ahead() {
  const [load] = performance.getEntriesByType("navigation");
  const came = Date.now() - performance.now() + (load?.responseStart ?? 0);
  return Number(find("main").dataset.now) - came;
}

/** What the clock of a seat shows: time left where there is a limit, or else time used; in ms. */
function time(game, seat, now) {
  const player = game.players[seat];
  const runs = game.since !== null && game.on_turn === seat && game.phase === "playing";
  const used = player.used + (runs ? Math.max(0, now - game.since) : 0);
  const answers = game.phase === "last_word" && game.awaited.includes(seat);
  if (game.due !== null && (answers || (runs && player.allowed === null)))
    return {
      left: Math.max(0, game.due - now),
      used,
      what: answers ? say("time to answer") : say("time for this turn"),
    };
  const left = player.allowed === null ? null : player.allowed - used;
  return {
    left,
    used,
    what: left === null ? say("time used") : left < 0 ? say("overtime") : say("time left"),
  };
}

/** The room's log: moves and talk, in the server's words. */
export class Log {
  constructor(utter) {
    this.seen = new Map();
    this.follows = true; // does the list stay at its end?
    this.list = el("div", {
      class: "log",
      role: "log",
      "aria-live": "off",
      "aria-label": say("What happened"),
      tabindex: "0",
      scroll: () => this.size === this.box && (this.follows = this.below < 40),
    });
    new ResizeObserver(() => {
      this.size = this.box; // a browser scrolls, too, when a phone is turned, and before it tells
      this.end();
    }).observe(this.list);
    const text = el("input", {
      name: "text",
      maxlength: "500",
      autocomplete: "off",
      "aria-label": say("Say something to the table"),
      placeholder: say("Say something\u2026"),
    });
    const send = (event) => {
      event.preventDefault();
      const told = text.value.trim();
      if (!told) return;
      text.value = ""; // at once: over a long line it would be sent twice
      utter(told).then((sent) => !sent && !text.value && (text.value = told));
    };
    const pick = (event) => set(this.list, "data-only", event.target.value);
    const only = el("select", { "aria-label": say("What the log shows"), change: pick });
    for (const [value, name] of [
      ["all", say("All")],
      ["move", say("Moves")],
      ["talk", say("Talk")],
    ])
      only.append(el("option", { value }, name));
    this.talk = el(
      "form",
      { class: "talk", submit: send },
      text,
      el("button", { type: "submit" }, say("Send")),
    );
    this.root = el(
      "section",
      { class: "panel story" },
      el("header", {}, el("h2", {}, say("Table talk")), only),
      this.list,
      this.talk,
    );
  }

  /** Adds an entry where it belongs; twice told is once shown. */
  entry(seq, kind, plain) {
    if (this.seen.has(seq)) return false;
    const role = kind === "said" ? "talk" : kind === "moved" ? "move" : "other";
    const line = el("p", { "data-kind": role }, ...said(plain, role));
    line.dataset.seq = String(seq);
    const later = [...this.list.children].reverse().find((one) => Number(one.dataset.seq) < seq);
    this.seen.set(seq, line);
    if (later) later.after(line);
    else this.list.prepend(line);
    this.end();
    while (this.list.children.length > MOST_LINES) this.list.firstChild.remove();
    return true;
  }

  /** Adds what is no entry: an answer, a note. */
  note(lines, kind = "note") {
    const line = el("p", { "data-kind": kind }, lines.join(" \u00b7 "));
    line.dataset.seq = this.list.lastChild?.dataset.seq ?? "0";
    this.list.append(line);
    this.end();
  }

  get box() {
    return `${this.list.clientWidth} ${this.list.clientHeight}`;
  }

  /** How much of the list is below what is seen, in px. */
  get below() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight;
  }

  /** Stays at the end, unless somebody reads further up. */
  end() {
    if (this.follows) this.list.scrollTop = this.list.scrollHeight;
  }
}

/** Lines without their marks and numbers: what a person reads. */
export const words = (plain) => plain.map((line) => line.replace(/^[*:=?!|.-] (#\d+ )?/, ""));

function said(plain, role) {
  const text = words(plain).join(" ");
  const colon = role === "talk" && !text.startsWith("* ") ? text.indexOf(": ") : -1;
  if (colon < 0) return [text];
  return [el("b", {}, text.slice(0, colon)), text.slice(colon)];
}

/** The bag, and the tiles that this reader has not seen. */
export function unseen(game, kinds) {
  const counts = new Map();
  for (const tile of game.unseen) counts.set(tile, (counts.get(tile) ?? 0) + 1);
  const cells = kinds
    .filter(({ count }) => count)
    .map(({ tile }) => {
      const left = counts.get(tile) ?? 0;
      const name = tile === "?" ? say("blank") : tile;
      return el(
        "li",
        { "data-none": !left, "data-long": [...tile].length > 1 },
        el("b", {}, tile === "?" ? "\u25a1" : tile),
        el("span", {}, String(left)),
        el("span", { class: "hidden" }, name),
      );
    });
  return el("ul", { class: "unseen" }, ...cells);
}
