// Before a game and after it: who sits here, who is ready, bots, and how the last game ended.

import { button, buttonRow, el, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { botSelect, labelOf, loadChoices } from "./rules_form.js";
import { ROOT } from "./state.js";

export class WaitingRoom {
  /** *callbacks*: `send(command)`, `join()`, `isJoining()`, `invite()`, `editRules()`. */
  constructor(state, callbacks) {
    this.state = state;
    this.callbacks = callbacks;
    const attributes = { tabindex: "-1", "aria-label": t("The room") };
    this.root = el("section.waiting-room.panel", attributes);
    this.choices = null; // the bots there are, once loaded
    this.isUnfolded = null; // the list of bots, once somebody has touched it
    this.drawn = "";
    this.isPressed = false; // a button that is replaced while it is pressed is never clicked
    this.root.addEventListener("pointerdown", () => (this.isPressed = true));
    const release = () => this.isPressed && setTimeout(() => this.release());
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, release);
  }

  release() {
    this.isPressed = false;
    if (this.state.view) this.draw();
  }

  get isOpen() {
    const { game, isPlaying, isSeated } = this.state;
    return !isPlaying || game.adjourned || !isSeated;
  }

  draw() {
    if (this.isPressed) return;
    setAttribute(this.root, "hidden", !this.isOpen);
    if (!this.isOpen) return;
    const { game, isPlaying, view } = this.state;
    const key = JSON.stringify([
      [view.seats, view.seat, view.name, view.preset, view.lexicon, view.role],
      [game?.phase, game?.adjourned, game?.winners, view.page, view.games],
      [Boolean(this.choices), this.callbacks.isJoining()],
    ]);
    if (key === this.drawn) return;
    this.drawn = key;
    const { activeElement } = document;
    const focused = this.root.contains(activeElement) ? activeElement.dataset.do : null;
    const isWatching = isPlaying && game.seat === null;
    this.root.classList.toggle("watching", isWatching);
    const parts = isWatching ? this.watcherParts() : this.parts();
    this.root.replaceChildren(...parts.filter(Boolean));
    if (focused) this.root.querySelector(`[data-do="${focused}"]`)?.focus();
  }

  watcherParts() {
    const join = this.action("sit", t("Join with a name"), this.callbacks.join);
    return [el("p", t("You are watching.")), this.state.view.name === null && buttonRow(join)];
  }

  parts() {
    const { game, isPlaying, name, view } = this.state;
    const preset = labelOf(view.preset);
    const archive = `../r/${encodeURIComponent(name)}`;
    return [
      game?.phase === "over"
        ? this.result()
        : el("h2", isPlaying ? t("The game is adjourned") : t("The room")),
      !isPlaying && el("p.note", t("{preset} rules, word list {lexicon}", { ...view, preset })),
      view.games > 0 && el("p", linkInNewTab(archive, t("All games here"))),
      el(
        "ul.seats",
        ...view.seats.map((seat) => this.seat(seat)),
        !view.seats.length && el("li", t("Nobody has joined yet.")),
      ),
      buttonRow(...this.actions()),
      !isPlaying && view.seat !== null && this.botPicker(),
    ];
  }

  result() {
    const { game, view } = this.state;
    const winners = game.winners.map((seat) => game.players[seat].name);
    const scores = game.players.map(({ name, score }) => `${name} ${score}`).join(" \u00b7 ");
    const text = !winners.length
      ? t("The game is over")
      : winners.length === 1
        ? t("{winner} wins", { winner: winners[0] })
        : t("{winners} share the win", { winners: winners.join(", ") });
    const record = linkInNewTab(`../g/${view.page}`, t("The game, move by move"));
    return el("div.result", el("h2", text), el("p", scores), view.page && el("p", record));
  }

  seat(seat) {
    const { isPlaying, view } = this.state;
    const remove = () => this.callbacks.send({ do: "bot", action: "remove", what: seat.name });
    const attributes = { "data-do": `remove ${seat.name}`, "aria-label": t("Remove {name}", seat) };
    return el(
      "li",
      el("b", seat.name),
      el("span", seatStatus(seat)),
      seat.bot && view.seat !== null && !isPlaying && button("\u00d7", remove, attributes),
    );
  }

  /** What we can do: buttons. */
  actions() {
    const { game, isPlaying, view } = this.state;
    const { editRules, invite, isJoining, join, send } = this.callbacks;
    const inviteButton = this.action("invite", t("Invite"), invite);
    if (view.seat === null) {
      const sit = view.name === null ? join : () => send({ do: "sit" });
      const isFree = this.state.hasFreeSeat;
      const label = isFree ? t("Join") : t("Join the talk");
      const isOffered = !isJoining() && (isFree || view.name === null);
      return [isOffered && this.action("sit", label, sit, "main"), inviteButton];
    }
    const label = view.games && !game?.adjourned ? t("Ready for another game") : t("Ready");
    const ready = this.action("ready", label, () => send({ do: "ready" }), "main");
    const unready = () => send({ do: "ready", answer: "no" });
    const cancel = this.action("ready", t("Cancel ready"), unready);
    return [
      view.seats[view.seat].ready ? cancel : ready,
      !isPlaying && this.action("rules", t("Rules"), editRules),
      inviteButton,
    ];
  }

  /** Offers bots, once the server has said which there are. */
  botPicker() {
    const { view } = this.state;
    if (view.seats.length >= this.state.seatCount) return null;
    // On a phone the board comes first, until somebody wants a bot.
    const isUnfolded = view.games === 0 && matchMedia("(min-width: 62rem)").matches;
    const details = el("details.add-bot", { open: this.isUnfolded ?? isUnfolded });
    details.append(el("summary", t("Add a bot")));
    details.addEventListener("toggle", () => (this.isUnfolded = details.open));
    if (this.choices) details.append(this.botLevels());
    else this.loadBots();
    return details;
  }

  async loadBots() {
    this.choices = await loadChoices(ROOT).catch(() => null);
    if (this.choices) this.draw();
  }

  botLevels() {
    const { levels, about } = botSelect(this.choices, this.level);
    levels.addEventListener("change", () => (this.level = levels.value));
    levels.dataset.do = "level";
    const add = this.action("bot", t("Add"), () =>
      this.callbacks.send({ do: "bot", action: "add", what: levels.value }),
    );
    return el(
      "div.field",
      el("label.sr-only", { for: levels.id }, t("Level")),
      el("span.pair", levels, add),
      about,
    );
  }

  /** Creates a button that is found again, by *name*, when the panel is drawn anew. */
  action(name, text, click, kind = "") {
    return button(text, click, { class: kind, "data-do": name });
  }
}

function seatStatus(seat) {
  if (seat.bot) return t("bot, {bot}", seat);
  if (!seat.here) return t("away");
  return seat.ready ? t("\u2713 ready") : t("not ready yet");
}

/** Links to a page that opens beside the table: who leaves the table between games leaves the seat. */
function linkInNewTab(href, text) {
  return el("a", { href, target: "_blank" }, text);
}
