// The menu: what can be done now, from the score sheet to resigning, and settings of this browser.

import { UNSENT, plainText } from "../core/connection.js";
import { confirm, openDialog, prompt, showLines, showColumns } from "../core/dialogs.js";
import { button, buttonRow, el, form } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { languageField, soundField, themeField } from "../core/preferences.js";
import { unseenTiles } from "./bag.js";
import { showMyData } from "./my_data.js";
import { People } from "./people.js";
import { RulesForm, loadChoices, ruleValues } from "./rules_form.js";
import { showSeatWays } from "./seat_link.js";
import { ROOT } from "./state.js";

const KEYS = [
  [t("Arrows"), t("move over the board")],
  [t("Letters"), t("lay tiles along the line; Shift and a letter takes a blank")],
  [t("Space"), t("across or down")],
  [t("Backspace"), t("take the last tile up")],
  [t("Enter"), t("send the play")],
  [t("Escape"), t("take all tiles back")],
];

/** An entry of the menu: what it is called, when there is something to do, and what it does. */
const entry = (label, when, run) => ({ label, when, run });

export class Menu {
  /**
   * *send(command)* resolves to false, and shows why, if a command was not carried out. *seat* has
   * `code()` of our seat, `comeBack()` to one, and `forget()`.
   */
  constructor(state, connection, send, seat) {
    Object.assign(this, { state, connection, send, seat });
    this.people = new People(state, send, (command) => this.request(command));
    this.groups = [
      [t("The game"), this.gameEntries()],
      [t("The room"), this.roomEntries()],
      [t("You"), this.ownEntries()],
      [t("Give up"), this.endings()],
    ];
  }

  async open() {
    const buttons = new Map(); // with what each does
    const fill = (done) => {
      const drawn = this.groups.map(([title, entries]) => {
        const shown = entries.filter(({ when }) => when());
        const made = shown.map((entry) => {
          const one = button(entry.label, () => done(entry.run));
          buttons.set(one, entry);
          return one;
        });
        return made.length > 0 && el("section", el("h3", title), el("div.menu", ...made));
      });
      const preferences = [themeField(), languageField(ROOT), soundField()];
      return [...drawn, el("div.preferences", ...preferences)].filter(Boolean);
    };
    // What is over is disabled, not removed, so that nothing else comes under a finger.
    const onUpdate = () => buttons.forEach(({ when }, one) => (one.disabled = !when()));
    const run = await openDialog(this.state.name, fill, { onUpdate });
    run?.();
  }

  gameEntries() {
    const { state } = this;
    const hasGame = () => state.game !== null;
    const isPlaying = () => state.isPlaying;
    const isOver = () => hasGame() && !isPlaying();
    const mayAskHint = () => state.isOnTurn && state.rules.hints === "on";
    const mayUndo = () => state.isSeated && state.game.undoable === state.game.seat;
    const mayAdjourn = () => state.isSeated && !state.isPaused;
    const mayNudge = () => state.isSeated && !state.isOnTurn;
    const adjourn = t("Stop here and play on another time, if all others agree.");
    const toGcg = { do: "export", form: "gcg" };
    return [
      this.sheet({ do: "score" }, t("Score sheet"), hasGame),
      entry(t("Tiles unseen"), isPlaying, () => this.showUnseen()),
      this.sheet({ do: "hint" }, t("Hint"), mayAskHint),
      this.sheet({ do: "analyze" }, t("Analysis"), isOver, t("Game analysis")),
      this.sheet(toGcg, t("Record (GCG)"), isOver, t("Record")),
      entry(t("Nudge"), mayNudge, () => this.send({ do: "nudge" })),
      this.confirmed({ do: "undo" }, t("Undo my turn"), t("All others must agree."), mayUndo),
      this.confirmed({ do: "adjourn" }, t("Adjourn"), adjourn, mayAdjourn),
    ];
  }

  ownEntries() {
    const always = () => true;
    const isNamed = () => Boolean(this.state.view.name);
    return [
      this.sheet({ do: "stats" }, t("My games"), isNamed),
      this.sheet({ do: "top" }, t("Ratings"), always),
      entry(t("Register my name"), isNamed, () => this.register()),
      entry(t("Play on another device"), () => isNamed() && this.seat.code(), () => this.showWays()),
      entry(t("Come back to my seat"), () => !isNamed(), () => this.seat.comeBack()),
      entry(t("What is kept of you"), isNamed, () => this.showMyData()),
      entry(t("Keys"), always, showKeys),
    ];
  }

  /** What ends a game, last of all. */
  endings() {
    const { state } = this;
    const abort = t("It ends without a result, if all others agree.");
    const resign = { do: "resign", sure: "yes" };
    return [
      this.confirmed({ do: "abort" }, t("Abort"), abort, () => state.isSeated, t("Abort the game")),
      this.confirmed(resign, t("Resign"), t("You give up this game."), () => state.may("resign")),
    ];
  }

  roomEntries() {
    const { state } = this;
    const always = () => true;
    const mayLock = () => state.isModerator && !state.isLocked;
    const mayUnlock = () => state.isModerator && state.isLocked;
    const mayWatch = () => !state.isPlaying && state.view.seat !== null && state.view.name !== null;
    return [
      this.sheet({ do: "rules" }, t("Rules"), always, t("The rules here")),
      entry(t("People"), always, () => this.people.open()),
      entry(t("Lock the room"), mayLock, () => this.lock()),
      entry(t("Unlock the room"), mayUnlock, () => this.send({ do: "unlock" })),
      entry(t("Watch"), mayWatch, () => this.send({ do: "watch" })),
    ];
  }

  /** An entry that shows an answer of the server: in columns, or one sentence that there is none. */
  sheet(command, label, when, title = label) {
    return entry(label, when, async () => {
      const lines = await this.request(command);
      const isTable = ["score", "analyze", "export"].includes(command.do) && lines.length > 1;
      if (isTable) showColumns(title, lines, lines.spoken);
      else showLines(title, lines);
    });
  }

  /** An entry that is confirmed first, for this game, and while it still may be done. */
  confirmed(command, label, text, when, title = label) {
    return entry(label, when, async () => {
      const { games } = this.state.view;
      const isCurrent = () => this.state.view.games === games && when();
      if (await confirm(title, [text], title, { isCurrent })) this.send(command);
    });
  }

  /** Requests lines to read, and `spoken`, the same in sentences; a refusal is one. */
  async request(command) {
    const { notices, refused, lost } = await this.connection.request(command);
    if (refused || lost) return [refused?.text ?? UNSENT];
    const lines = notices.flatMap((notice) =>
      notice.tell === "picture" ? notice.lines : plainText(notice.plain ?? []),
    );
    return Object.assign(lines, { spoken: notices.flatMap(({ spoken = [] }) => spoken) });
  }

  showUnseen() {
    return openDialog(t("Tiles you have not seen"), () => [
      el("p", t("{bag} in the bag, the others on the racks.", this.state.game)),
      unseenTiles(this.state),
    ]);
  }

  async register() {
    const text = t("Nobody else can take it then, and your games count. You get a code: keep it.");
    if (await confirm(t("Register my name"), [text], t("Register")))
      showLines(t("Your name"), await this.request({ do: "register" }));
  }

  showMyData() {
    return showMyData(this.connection, this.seat.forget);
  }

  /** Shows the ways to the seat from another device: a link that is good once, and the code. */
  async showWays() {
    const { notices = [] } = await this.connection.request({ do: "link" });
    const link = notices.find(({ tell }) => tell === "seat_link");
    return showSeatWays(link, this.seat.code());
  }

  async lock() {
    const given = await prompt(
      t("Lock the room"),
      t("Newcomers need this password:"),
      { maxlength: "64" },
      t("Lock"),
      t("By invitation only"),
    );
    if (given) this.send({ do: "lock", password: given.text ?? "" });
  }

  async editRules() {
    const title = t("Rules of this room");
    const choices = await loadChoices(ROOT).catch(() => null);
    if (!choices) return showLines(title, [UNSENT]);
    const rules = new RulesForm(choices, ruleValues(this.state.rules));
    const fill = (done) => {
      const cancel = button(t("Cancel"), () => done(null));
      const set = el("button.main", { type: "submit" }, t("Set"));
      return [form(() => done(rules.changes()), {}, rules.root, buttonRow(cancel, set))];
    };
    const isCurrent = () => !this.state.isPlaying;
    const changes = await openDialog(title, fill, { isCurrent });
    for (const [setting, value] of changes ?? [])
      if (!(await this.send({ do: "set", setting, value }))) break;
  }
}

function showKeys() {
  const rows = KEYS.flatMap(([key, use]) => [el("dt", key), el("dd", use)]);
  return openDialog(t("Keys"), () => [el("dl.shortcuts", ...rows)]);
}
