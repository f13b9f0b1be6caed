// Who is here, and what we may do about them: whisper, and, for moderators, more.

import { confirm, openDialog, prompt, showLines } from "../core/dialogs.js";
import { button, buttonRow, el, form } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { outranks } from "./state.js";
import { announce } from "./status_line.js";

const ROLE_NAMES = { owner: t("owner"), moderator: t("moderator") };
const MUTE_MINUTES = [
  [t("For ten minutes"), 10],
  [t("For an hour"), 60],
  [t("Until further notice"), null],
];

/** Lists everybody in a view: `{name, role, facts, isBot, isOwn, canModerate}`. */
function membersOf(view) {
  const seated = view.seats.map((seat) => ({ name: seat.name, seat }));
  const watching = view.watchers.map((name) => ({ name, seat: null }));
  return [...seated, ...watching].map(({ name, seat }) => {
    const role = roleOf(name, seat, view);
    const isOwn = name === view.name;
    const isBot = Boolean(seat?.bot);
    const facts = [
      isOwn && t("you"),
      isBot ? t("bot") : ROLE_NAMES[role],
      seat ? t("seated") : t("watching"),
      seat && !isBot && !seat.here && t("away"),
    ].filter(Boolean);
    const isBelow = outranks(view.role, "player") && outranks(view.role, role);
    const canModerate = !isOwn && !isBot && isBelow;
    return { name, role, facts: facts.join(", "), isBot, isOwn, canModerate };
  });
}

function roleOf(name, seat, view) {
  if (name === view.owner) return "owner";
  if (view.moderators.includes(name)) return "moderator";
  return seat ? "player" : "watcher";
}

export class People {
  /** *send(command)* shows a refusal; *request(command)* resolves to lines. */
  constructor(state, send, request) {
    Object.assign(this, { state, send, request });
  }

  async open() {
    const members = membersOf(this.state.view);
    if (!members.length) return showLines(t("People"), [t("There is nobody here to choose.")]);
    const chosen = await openDialog(t("People"), (done) => [
      el("ul.people", ...members.map((member) => this.item(member, done))),
      this.state.isModerator && button(t("Banned and muted"), () => done(() => this.showBans())),
    ]);
    await chosen?.();
  }

  item(member, done) {
    const name = el("b", member.name);
    const facts = el("span.note", member.facts);
    if (!this.actionsFor(member).length) return el("li", el("span.member", name, facts));
    const open = button("", () => done(() => this.openMember(member)), { class: "member" });
    open.append(name, facts);
    return el("li", open);
  }

  /** Shows what we may do about somebody; a single action begins at once. */
  async openMember(member) {
    const actions = this.actionsFor(member);
    if (actions.length === 1) return actions[0].run();
    const chosen = await openDialog(member.name, (done) => [
      el("p.note", member.facts),
      el("div.menu", ...actions.map(({ label, run }) => button(label, () => done(run)))),
    ]);
    await chosen?.();
  }

  actionsFor(member) {
    const { name, isOwn, isBot, canModerate } = member;
    const { view } = this.state;
    const isOther = !isOwn && !isBot;
    const isModerator = member.role === "moderator";
    const canAppoint = view.role === "owner" && isOther;
    const promote = t("Moderators may mute, send away, ban and lock.");
    const demote = t("{name} will no longer be a moderator.", member);
    const handOver = t("{name} will own the room, and you will not.", member);
    const entry = (isAllowed, label, run) => isAllowed && { label, run };
    const appoint = (isAllowed, role, label, text) =>
      entry(isAllowed, label, () => this.appoint(name, role, label, text));
    return [
      entry(view.name !== null && isOther, t("Whisper"), () => this.whisper(name)),
      entry(canModerate, t("Mute"), () => this.mute(name)),
      entry(canModerate, t("Unmute"), () => this.send({ do: "unmute", name })),
      entry(canModerate, t("Send away"), () => this.kick(name)),
      entry(canModerate, t("Ban"), () => this.ban(name)),
      appoint(canAppoint && !isModerator, "moderator", t("Make a moderator"), promote),
      appoint(canAppoint && isModerator, "player", t("Remove as moderator"), demote),
      appoint(canAppoint, "owner", t("Make owner"), handOver),
    ].filter(Boolean);
  }

  async whisper(name) {
    const label = t("Nobody else hears it, and it is kept nowhere:");
    const title = t("Tell {name} alone", { name });
    const given = await prompt(title, label, { maxlength: "500" }, t("Tell"));
    if (given && (await this.send({ do: "tell", to: name, text: given.text }))) announce(t("told"));
  }

  async mute(name) {
    const chosen = await openDialog(t("Mute {name}", { name }), (done) => [
      el("p", t("Playing goes on; only talk is not heard.")),
      buttonRow(...MUTE_MINUTES.map(([text, minutes]) => button(text, () => done({ minutes })))),
    ]);
    if (chosen) this.send({ do: "mute", name, ...chosen });
  }

  async kick(name) {
    const text = t("They may come back. In a game their seat stays theirs.");
    if (await confirm(t("Send {name} away?", { name }), [text], t("Send away")))
      this.send({ do: "kick", name });
  }

  async ban(name) {
    const checkbox = el("input", { type: "checkbox" });
    const label = t("And all who come from where they are: often a household");
    const question = [
      t("They may not come in again; in a game they resign."),
      el("label.field.check", checkbox, label),
    ];
    if (await confirm(t("Ban {name}?", { name }), question, t("Ban")))
      this.send({ do: "ban", name, what: checkbox.checked ? "address" : "name" });
  }

  async appoint(name, role, title, text) {
    if (await confirm(`${title}?`, [text], title)) this.send({ do: "role", name, role });
  }

  /** Shows who is banned or muted, and lets somebody come in again. */
  async showBans() {
    const lines = await this.request({ do: "bans" });
    const input = el("input", { autocomplete: "off", maxlength: "64", "aria-label": t("Name") });
    const unban = el("button", { type: "submit" }, t("Let in"));
    const given = await openDialog(t("Banned and muted"), (done) => [
      el("div.lines", ...lines.map((line) => el("p", line))),
      form(
        () => input.value.trim() && done(input.value.trim()),
        {},
        el("label.field", t("Somebody who may come in again"), el("span.pair", input, unban)),
      ),
    ]);
    if (given) this.send({ do: "unban", name: given });
  }
}
