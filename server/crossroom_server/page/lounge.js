// Before a game and after it: who sits here, who is ready, bots, and how the last game ended.

import { el, set } from "./base.js";
import { bots, choices } from "./forms.js";
import { say } from "./speech.js";

export class Lounge {
  constructor(table, order, { invite, form }) {
    Object.assign(this, { table, order, invite, form });
    const what = { class: "lounge panel", tabindex: "-1", "aria-label": say("The table") };
    this.root = el("section", what);
    this.bots = null;
    this.unfolded = null;
    this.shown = "";
  }

  draw() {
    const { view } = this.table;
    const { game } = view;
    const open = !game || game.phase === "over" || game.adjourned || game.seat === null;
    set(this.root, "hidden", !open);
    const key = JSON.stringify([
      view.seats,
      view.seat,
      view.name,
      view.preset,
      view.lexicon,
      view.role,
      game?.phase,
      game?.adjourned,
      game?.winners,
      view.page,
      view.games,
      open,
      Boolean(this.bots),
      this.table.naming,
    ]);
    if (!open || key === this.shown) return;
    this.shown = key;
    const focused = this.root.contains(document.activeElement)
      ? document.activeElement.dataset.do
      : null;
    this.root.classList.toggle(
      "aside",
      Boolean(game && game.phase !== "over" && game.seat === null),
    );
    this.root.replaceChildren(...this.parts(view, game).filter(Boolean));
    if (focused) this.root.querySelector(`[data-do="${focused}"]`)?.focus();
  }

  parts(view, game) {
    const playing = game && game.phase !== "over";
    const head =
      game?.phase === "over"
        ? this.result(game)
        : el("h2", {}, playing ? say("The game is adjourned") : say("The table"));
    if (playing && game.seat === null)
      return [
        el("p", {}, say("You are watching.")),
        view.name === null &&
          this.answers(this.act(say("Say who you are"), () => this.table.sit(), "sit")),
      ];
    return [
      head,
      !playing && el("p", { class: "words" }, say("{preset} rules, word list {lexicon}", view)),
      view.games > 0 &&
        el(
          "p",
          {},
          this.beside(`../r/${encodeURIComponent(this.table.name)}`, say("All games here")),
        ),
      el(
        "ul",
        { class: "seats" },
        ...view.seats.map((seat) => this.seat(seat, view)),
        !view.seats.length && el("li", {}, say("Nobody sits here yet.")),
      ),
      this.answers(...this.choices(view)),
      !playing && view.seat !== null && this.guests(view),
    ];
  }

  result(game) {
    const winners = game.winners.map((seat) => game.players[seat].name);
    const scores = game.players.map(({ name, score }) => `${name} ${score}`).join(" \u00b7 ");
    const text = !winners.length
      ? say("The game is over")
      : winners.length === 1
        ? say("{winner} wins", { winner: winners[0] })
        : say("{winners} share the win", { winners: winners.join(", ") });
    const { page } = this.table.view;
    const kept = page && el("p", {}, this.beside(`../g/${page}`, say("The game, move by move")));
    return el("div", { class: "result" }, el("h2", {}, text), el("p", {}, scores), kept || null);
  }

  /** A link to a page that opens beside the table: whoever leaves it between games leaves the seat. */
  beside(href, text) {
    return el("a", { href, target: "_blank" }, text);
  }

  seat(seat, view) {
    const remove =
      seat.bot && view.seat !== null && (view.game === null || view.game.phase === "over");
    const state = seat.bot
      ? say("bot, {bot}", seat)
      : !seat.here
        ? say("away")
        : seat.ready
          ? say("\u2713 ready")
          : say("not ready yet");
    return el(
      "li",
      {},
      el("b", {}, seat.name),
      el("span", {}, state),
      remove &&
        el(
          "button",
          {
            type: "button",
            "data-do": `remove ${seat.name}`,
            "aria-label": say("Remove {name}", seat),
            click: () => this.order({ do: "bot", action: "remove", what: seat.name }),
          },
          "\u00d7",
        ),
    );
  }

  choices(view) {
    if (view.name === null)
      return [
        !this.table.naming && this.act(say("Take a seat"), () => this.table.sit(), "sit", "main"),
        this.act(say("Invite"), this.invite, "invite"),
      ];
    if (view.seat === null)
      return [
        this.act(say("Take a seat"), () => this.order({ do: "sit" }), "sit", "main"),
        this.act(say("Invite"), this.invite, "invite"),
      ];
    const own = view.seats[view.seat];
    const ready = own.ready
      ? this.act(
          say("Not ready after all"),
          () => this.order({ do: "ready", answer: "no" }),
          "ready",
        )
      : this.act(
          view.games && !view.game?.adjourned ? say("Ready for another game") : say("Ready"),
          () => this.order({ do: "ready" }),
          "ready",
          "main",
        );
    const on = view.game && view.game.phase !== "over"; // adjourned: its rules stay as they are
    return [
      ready,
      !on && this.act(say("Rules"), this.form, "rules"),
      this.act(say("Invite"), this.invite, "invite"),
    ];
  }

  /** Bots to seat, once the server has said which there are. */
  guests(view) {
    if (view.seats.length >= (this.table.rules?.players ?? 4)) return null;
    const box = el("details", { class: "guests", open: this.unfolds(view) });
    box.append(el("summary", {}, say("Add a bot")));
    box.addEventListener("toggle", () => (this.unfolded = box.open));
    if (this.bots) box.append(this.levels());
    else
      choices(this.table.root).then(
        (offer) => {
          this.bots = offer;
          this.draw();
        },
        () => {},
      );
    return box;
  }

  /** On a phone the board comes first, until somebody wants a bot. */
  unfolds(view) {
    return this.unfolded ?? (view.games === 0 && matchMedia("(min-width: 62rem)").matches);
  }

  levels() {
    const { select, words } = bots(this.bots, this.level);
    select.addEventListener("change", () => (this.level = select.value));
    select.dataset.do = "level";
    const add = this.act(
      say("Add"),
      () => this.order({ do: "bot", action: "add", what: select.value }),
      "bot",
    );
    return el(
      "div",
      { class: "field" },
      el("label", { class: "hidden", for: "bot-level" }, say("Level")),
      el("span", { class: "pair" }, select, add),
      words,
    );
  }

  act(text, click, does, kind = "") {
    return el("button", { type: "button", class: kind, "data-do": does, click }, text);
  }

  answers(...buttons) {
    return el("div", { class: "answers" }, ...buttons);
  }
}
