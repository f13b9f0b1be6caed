// Who is here, and what one may do about them: a word in private, and, for those who keep order, more.

import { el } from "./base.js";
import { ask, button, confirm, read, text } from "./dialogs.js";
import { say } from "./speech.js";

const LADDER = ["watcher", "player", "moderator", "owner"];
const ROLES = { owner: say("owner"), moderator: say("moderator") };
const MUTES = [
  [say("For ten minutes"), 10],
  [say("For an hour"), 60],
  [say("Until further notice"), null],
];

/** Everybody in a view: `{name, role, facts, bot, own, below}`; `below`: we may keep them in order. */
export function everybody(view) {
  const seats = view.seats.map((seat) => ({ name: seat.name, seat }));
  const others = view.watchers.map((name) => ({ name, seat: null }));
  const mine = LADDER.indexOf(view.role);
  return [...seats, ...others].map(({ name, seat }) => {
    const role =
      name === view.owner
        ? "owner"
        : view.moderators.includes(name)
          ? "moderator"
          : seat
            ? "player"
            : "watcher";
    const own = name === view.name;
    const bot = Boolean(seat?.bot);
    const facts = [
      own && say("you"),
      bot ? say("bot") : ROLES[role],
      seat ? say("seated") : say("watching"),
      seat && !bot && !seat.here && say("away"),
    ].filter(Boolean);
    const below = !own && !bot && mine >= 2 && LADDER.indexOf(role) < mine;
    return { name, role, facts: facts.join(", "), bot, own, below };
  });
}

/** The list of people; *act* has `order(command)`, `lines(command)` and `announce(text)`. */
export function people(table, { order, lines, announce }) {
  async function whisper({ name }) {
    const input = el("input", { autocomplete: "off", maxlength: "500", autofocus: true });
    const about = say("Nobody else hears it, and it is kept nowhere:");
    const given = await text(say("Tell {name} alone", { name }), about, input, say("Tell"));
    if (given && (await order({ do: "tell", to: name, text: given.text }))) announce(say("told"));
  }

  async function mute({ name }) {
    const chosen = await ask(say("Mute {name}", { name }), (done) => [
      el("p", {}, say("Playing goes on; only talk is not heard.")),
      el(
        "div",
        { class: "answers" },
        ...MUTES.map(([title, minutes]) => button(title, () => done({ minutes }))),
      ),
    ]);
    if (chosen) order({ do: "mute", name, ...chosen });
  }

  async function kick({ name }) {
    const told = say("They may come back. In a game their seat stays theirs.");
    if (await confirm(say("Send {name} away?", { name }), [told], say("Send away")))
      order({ do: "kick", name });
  }

  async function ban({ name }) {
    const what = el("input", { type: "checkbox" });
    const sure = await ask(say("Ban {name}?", { name }), (done) => [
      el("p", {}, say("They may not come in again; in a game they resign.")),
      el(
        "label",
        { class: "field check" },
        what,
        say("And all who come from where they are: often a household"),
      ),
      el(
        "div",
        { class: "answers" },
        button(say("Cancel"), () => done(null)),
        button(say("Ban"), () => done(true), "main"),
      ),
    ]);
    if (sure) order({ do: "ban", name, what: what.checked ? "address" : "name" });
  }

  const give = (role, title, told) => async (person) =>
    (await confirm(`${title}?`, [told], title)) && order({ do: "role", name: person.name, role });

  /** What one may do about somebody: pairs of words and what they do. */
  function doings(person) {
    const { view } = table;
    const owns = view.role === "owner" && !person.own && !person.bot;
    const seated = view.name !== null && !person.own && !person.bot;
    return [
      seated && [say("Whisper"), whisper],
      person.below && [say("Mute"), mute],
      person.below && [say("Unmute"), ({ name }) => order({ do: "unmute", name })],
      person.below && [say("Send away"), kick],
      person.below && [say("Ban"), ban],
      owns &&
        person.role !== "moderator" && [
          say("Make a moderator"),
          give(
            "moderator",
            say("Make a moderator"),
            say("Moderators may mute, send away, ban and lock."),
          ),
        ],
      owns &&
        person.role === "moderator" && [
          say("No moderator any more"),
          give("player", say("No moderator any more"), say("{name} keeps no order then.", person)),
        ],
      owns && [
        say("Give the table"),
        give("owner", say("Give the table"), say("{name} owns it then, and you do not.", person)),
      ],
    ].filter(Boolean);
  }

  async function about(person) {
    const [first, ...more] = doings(person);
    if (!more.length) return first[1](person);
    const chosen = await ask(person.name, (done) => [
      el("p", { class: "words" }, person.facts),
      el(
        "div",
        { class: "menu" },
        ...[first, ...more].map(([title, act]) => button(title, () => done(act))),
      ),
    ]);
    await chosen?.(person);
  }

  async function banned() {
    const told = await lines({ do: "bans" });
    const input = el("input", { autocomplete: "off", maxlength: "64", "aria-label": say("Name") });
    const given = await ask(say("Banned and muted"), (done) => [
      el("div", { class: "lines" }, ...told.map((line) => el("p", {}, line))),
      el(
        "form",
        {
          submit: (event) => {
            event.preventDefault();
            if (input.value.trim()) done(input.value.trim());
          },
        },
        el(
          "label",
          { class: "field" },
          say("Somebody who may come in again"),
          el("span", { class: "pair" }, input, el("button", { type: "submit" }, say("Let in"))),
        ),
      ),
    ]);
    if (given) order({ do: "unban", name: given });
  }

  return async function show() {
    const { view } = table;
    if (!view) return;
    const all = everybody(view);
    if (!all.length) return read(say("People"), [say("Nobody is here whom one could name.")]);
    const keeper = LADDER.indexOf(view.role) >= 2;
    const chosen = await ask(say("People"), (done) => [
      el(
        "ul",
        { class: "people" },
        ...all.map((person) => {
          const inside = [el("b", {}, person.name), el("span", { class: "words" }, person.facts)];
          return el(
            "li",
            {},
            doings(person).length
              ? el("button", { type: "button", click: () => done(() => about(person)) }, ...inside)
              : el("span", { class: "alone" }, ...inside),
          );
        }),
      ),
      keeper && button(say("Banned and muted"), () => done(banned)),
    ]);
    await chosen?.();
  };
}
