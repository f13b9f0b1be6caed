// The menu, and what it opens: sheets, rules, invitations, agreements, settings of this browser.

import { beep, el, languages, memory, themes } from "./base.js";
import { ask, button, confirm, picture, read, text } from "./dialogs.js";
import { RulesForm, choices, current } from "./forms.js";
import { UNSENT } from "./line.js";
import { unseen, words } from "./panels.js";
import { people } from "./people.js";
import { say } from "./speech.js";

const KEYS = [
  [say("Arrows"), say("move over the board")],
  [say("Letters"), say("lay tiles along the line; Shift and a letter takes a blank")],
  [say("Space"), say("across or down")],
  [say("Backspace"), say("take the last tile up")],
  [say("Enter"), say("send the play")],
  [say("Escape"), say("take all tiles back")],
];

/** What can be shown. *ways* is the part of the page that says how to join from a terminal. */
export function menu(table, { order, line, announce, ways }) {
  const answer = async (command) => {
    const { notices, refused, lost } = await line.ask(command);
    return refused || lost
      ? [refused?.text ?? UNSENT]
      : notices.flatMap((notice) =>
          notice.tell === "picture" ? notice.lines : words(notice.plain ?? []),
        );
  };
  const crowd = people(table, { order, lines: answer, announce });
  /** A table keeps its columns; a sentence, as when there is none, gets lines. */
  const draw = (title, lines) => (lines.length > 1 ? picture : read)(title, lines);
  const sheet = async () => draw(say("Score sheet"), await answer({ do: "score" }));
  const rules = async () => read(say("The rules here"), await answer({ do: "rules" }));
  const hint = async () => read(say("Hint"), await answer({ do: "hint" }));
  const agree = (what, title, text, may) => async () => {
    const { games } = table.view;
    const still = () => table.view.games === games && Boolean(own() && may(own()));
    if (await confirm(title, [text], title, { still })) order({ do: what });
  };

  /** The running game, if we play in it. */
  function own() {
    const { game } = table.view;
    return game && game.seat !== null && game.phase !== "over" ? game : null;
  }

  function bag() {
    const { game } = table.view;
    return ask(say("Tiles you have not seen"), () => [
      el("p", {}, say("{bag} in the bag, the others on the racks.", game)),
      unseen(game, table.rules.tiles.kinds),
    ]);
  }

  async function invite() {
    const locked = table.view && table.view.door !== "open";
    const { notices, refused } = locked ? await line.ask({ do: "invite" }) : { notices: [] };
    const [told] = notices;
    if (locked && !told) return read(say("Invite a friend"), [refused?.text ?? UNSENT]);
    const address = told?.page ?? location.href.replace(/[?#].*$/, "");
    const about = locked
      ? say("The table is locked. This address lets one friend in, once, within a day:")
      : say("Whoever opens this address can sit down here, with nothing to install:");
    const shown = el("input", {
      readonly: true,
      value: address,
      "aria-label": say("Address of this table"),
      focus: (event) => event.target.select(),
    });
    const copy = button(
      say("Copy"),
      () =>
        navigator.clipboard?.writeText(address).then(
          () => announce(say("copied")),
          () => shown.select(),
        ) ?? shown.select(),
    );
    await ask(say("Invite a friend"), () => [
      el("p", {}, about),
      el("div", { class: "pair" }, shown, copy),
      ...(locked
        ? [
            el("p", {}, say("In a terminal:")),
            el("pre", { tabindex: "0" }, words(told.plain).join("\n")),
          ]
        : [
            el("img", {
              class: "qr",
              src: `${encodeURIComponent(table.name)}/qr.svg`,
              alt: say("QR code of {address}", { address }),
            }),
            ways,
          ]),
    ]);
  }

  async function form() {
    const offer = await choices(table.root).catch(() => null);
    if (!offer) return read(say("Rules of this table"), [UNSENT]);
    const made = new RulesForm(offer, current(table.rules));
    const fill = (done) => {
      const submit = (event) => {
        event.preventDefault();
        done(made.changes());
      };
      return [
        el(
          "form",
          { submit },
          made.root,
          el(
            "div",
            { class: "answers" },
            button(say("Cancel"), () => done(null)),
            el("button", { type: "submit", class: "main" }, say("Set")),
          ),
        ),
      ];
    };
    const still = () => !table.view.game || table.view.game.phase === "over";
    const changes = await ask(say("Rules of this table"), fill, { still });
    for (const [setting, value] of changes ?? [])
      if (!(await order({ do: "set", setting, value }))) break;
  }

  async function lock() {
    const input = el("input", { autocomplete: "off", maxlength: "64", autofocus: true });
    const given = await text(
      say("Lock the table"),
      say("Newcomers need this password:"),
      input,
      say("Lock"),
      {
        other: say("By invitation only"),
      },
    );
    if (given) order({ do: "lock", password: given.text ?? "" });
  }

  async function register() {
    const about = say(
      "Nobody else can take it then, and your games count. You get a code: keep it.",
    );
    if (await confirm(say("Register my name"), [about], say("Register")))
      await read(say("Your name"), await answer({ do: "register" }));
  }

  function here() {
    const sounds = el("input", {
      type: "checkbox",
      change: () => {
        memory.keep("sounds", sounds.checked);
        beep(660);
      },
    });
    sounds.checked = Boolean(memory.read("sounds"));
    return el(
      "div",
      { class: "here" },
      themes(),
      languages(table.root, () => location.reload()),
      el("label", { class: "field check" }, sounds, say("Sounds")),
    );
  }

  function keys() {
    return ask(say("Keys"), () => [
      el(
        "dl",
        { class: "keys-list" },
        ...KEYS.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)]),
      ),
    ]);
  }

  /** What there is to do now: pairs of words and what does it. */
  function entries() {
    const { view } = table;
    const game = view?.game;
    const on = game && game.phase !== "over";
    const seated = on && game.seat !== null;
    const keeper = view?.role === "owner" || view?.role === "moderator";
    return [
      game && [say("Score sheet"), sheet],
      on && [say("Tiles unseen"), bag],
      [say("Rules"), rules],
      [say("People"), crowd],
      seated && table.rules.hints === "on" && game.on_turn === game.seat && [say("Hint"), hint],
      game &&
        !on && [
          say("Analysis"),
          async () => draw(say("Every turn beside the best play"), await answer({ do: "analyze" })),
        ],
      game &&
        !on && [
          say("Record (GCG)"),
          async () => draw(say("Record"), await answer({ do: "export", form: "gcg" })),
        ],
      view?.name && [
        say("My games"),
        async () => read(say("My games"), await answer({ do: "stats" })),
      ],
      [say("Ratings"), async () => read(say("Ratings"), await answer({ do: "top" }))],
      view?.name && [say("Register my name"), register],
      [say("Keys"), keys],
      seated &&
        game.undoable === game.seat && [
          say("Undo my turn"),
          agree(
            "undo",
            say("Undo my turn"),
            say("All others must agree."),
            ({ undoable, seat }) => undoable === seat,
          ),
        ],
      seated &&
        !game.adjourned && [
          say("Adjourn"),
          agree(
            "adjourn",
            say("Adjourn"),
            say("Stop here and play on another time, if all others agree."),
            ({ adjourned }) => !adjourned,
          ),
        ],
      seated && [
        say("Abort"),
        agree(
          "abort",
          say("Abort the game"),
          say("It ends without a result, if all others agree."),
          () => true,
        ),
      ],
      seated && game.on_turn !== game.seat && [say("Nudge"), () => order({ do: "nudge" })],
      seated &&
        game.options.includes("resign") && [
          say("Resign"),
          agree("resign", say("Resign"), say("You give up this game."), ({ options }) =>
            options.includes("resign"),
          ),
        ],
      keeper && view.door === "open" && [say("Lock the table"), lock],
      keeper && view.door !== "open" && [say("Unlock the table"), () => order({ do: "unlock" })],
      !on && view?.seat !== null && view?.name && [say("Watch"), () => order({ do: "watch" })],
    ].filter(Boolean);
  }

  async function showMenu() {
    const list = el("div", { class: "menu" });
    const fill = (done) => {
      list.append(...entries().map(([text, act]) => button(text, () => done(act))));
      return [list, here()];
    };
    /** What is over can no longer be chosen, and stays: nothing else comes under a finger. */
    const still = () => {
      const now = entries().map(([text]) => text);
      for (const entry of list.children) entry.disabled = !now.includes(entry.textContent);
      return true;
    };
    const chosen = await ask(table.name, fill, { still });
    chosen?.();
  }

  return { menu: showMenu, invite, rules: form };
}
