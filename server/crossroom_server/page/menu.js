// The menu, and what it opens: sheets, rules, invitations, agreements, settings of this browser.

import { beep, el, memory, themes } from "./base.js";
import { ask, button, confirm, picture, read, text } from "./dialogs.js";
import { RulesForm, choices, current } from "./forms.js";
import { unseen, words } from "./panels.js";
import { people } from "./people.js";

const KEYS = [
  ["Arrows", "move over the board"],
  ["Letters", "lay tiles along the line; Shift and a letter takes a blank"],
  ["Space", "across or down"],
  ["Backspace", "take the last tile up"],
  ["Enter", "send the play"],
  ["Escape", "take all tiles back"],
];

/** What can be shown. *ways* is the part of the page that says how to join from a terminal. */
export function menu(table, { order, line, announce, ways }) {
  const answer = async (command) => {
    const { notices, refused } = await line.ask(command);
    return refused
      ? [refused.text]
      : notices.flatMap((notice) =>
          notice.tell === "picture" ? notice.lines : words(notice.plain ?? []),
        );
  };
  const crowd = people(table, { order, lines: answer, announce });
  /** A table keeps its columns; a sentence, as when there is none, gets lines. */
  const draw = (title, lines) => (lines.length > 1 ? picture : read)(title, lines);
  const sheet = async () => draw("Score sheet", await answer({ do: "score" }));
  const rules = async () => read("The rules here", await answer({ do: "rules" }));
  const hint = async () => read("Hint", await answer({ do: "hint" }));
  const agree = (what, title, text) => async () =>
    (await confirm(title, [text], title)) && order({ do: what });

  function bag() {
    const { game } = table.view;
    return ask("Tiles you have not seen", () => [
      el("p", {}, `${game.bag} in the bag, the others on the racks.`),
      unseen(game, table.rules.tiles.kinds),
    ]);
  }

  async function invite() {
    const locked = table.view && table.view.door !== "open";
    const { notices, refused } = locked ? await line.ask({ do: "invite" }) : { notices: [] };
    const [told] = notices;
    if (locked && !told) return refused && read("Invite a friend", [refused.text]);
    const address = told?.page ?? location.href.replace(/[?#].*$/, "");
    const about = locked
      ? "The table is locked. This address lets one friend in, once, within a day:"
      : "Whoever opens this address can sit down here, with nothing to install:";
    const shown = el("input", {
      readonly: true,
      value: address,
      "aria-label": "Address of this table",
      focus: (event) => event.target.select(),
    });
    const copy = button(
      "Copy",
      () =>
        navigator.clipboard?.writeText(address).then(
          () => announce("copied"),
          () => shown.select(),
        ) ?? shown.select(),
    );
    await ask("Invite a friend", () => [
      el("p", {}, about),
      el("div", { class: "pair" }, shown, copy),
      ...(locked
        ? [
            el("p", {}, "In a terminal:"),
            el("pre", { tabindex: "0" }, words(told.plain).join("\n")),
          ]
        : [
            el("img", {
              class: "qr",
              src: `${encodeURIComponent(table.name)}/qr.svg`,
              alt: `QR code of ${address}`,
            }),
            ways,
          ]),
    ]);
  }

  async function form() {
    const offer = await choices(table.root).catch(() => null);
    if (!offer) return;
    const made = new RulesForm(offer, current(table.rules));
    const changes = await ask("Rules of this table", (done) => {
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
            button("Cancel", () => done(null)),
            el("button", { type: "submit", class: "main" }, "Set"),
          ),
        ),
      ];
    });
    for (const [setting, value] of changes ?? [])
      if (!(await order({ do: "set", setting, value }))) break;
  }

  async function lock() {
    const input = el("input", { autocomplete: "off", maxlength: "64", autofocus: true });
    const given = await text("Lock the table", "Newcomers need this password:", input, "Lock", {
      other: "By invitation only",
    });
    if (given) order({ do: "lock", password: given.text ?? "" });
  }

  async function register() {
    const about = "Nobody else can take it then, and your games count. You get a code: keep it.";
    if (await confirm("Register my name", [about], "Register"))
      await read("Your name", await answer({ do: "register" }));
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
      el("label", { class: "field check" }, sounds, "Sounds"),
    );
  }

  function keys() {
    return ask("Keys", () => [
      el(
        "dl",
        { class: "keys-list" },
        ...KEYS.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)]),
      ),
    ]);
  }

  async function showMenu() {
    const { view } = table;
    const game = view?.game;
    const on = game && game.phase !== "over";
    const seated = on && game.seat !== null;
    const keeper = view?.role === "owner" || view?.role === "moderator";
    const entries = [
      game && ["Score sheet", sheet],
      on && ["Tiles unseen", bag],
      ["Rules", rules],
      ["People", crowd],
      seated && table.rules.hints === "on" && game.on_turn === game.seat && ["Hint", hint],
      game &&
        !on && [
          "Analysis",
          async () => draw("Every turn beside the best play", await answer({ do: "analyze" })),
        ],
      game &&
        !on && [
          "Record (GCG)",
          async () => draw("Record", await answer({ do: "export", form: "gcg" })),
        ],
      view?.name && ["My games", async () => read("My games", await answer({ do: "stats" }))],
      ["Ratings", async () => read("Ratings", await answer({ do: "top" }))],
      view?.name && ["Register my name", register],
      ["Keys", keys],
      seated &&
        game.undoable === game.seat && [
          "Undo my turn",
          agree("undo", "Undo my turn", "All others must agree."),
        ],
      seated &&
        !game.adjourned && [
          "Adjourn",
          agree("adjourn", "Adjourn", "Stop here and play on another time, if all others agree."),
        ],
      seated && [
        "Abort",
        agree("abort", "Abort the game", "It ends without a result, if all others agree."),
      ],
      seated && game.on_turn !== game.seat && ["Nudge", () => order({ do: "nudge" })],
      seated && ["Resign", agree("resign", "Resign", "You give up this game.")],
      keeper && view.door === "open" && ["Lock the table", lock],
      keeper && view.door !== "open" && ["Unlock the table", () => order({ do: "unlock" })],
      !on && view?.seat !== null && view?.name && ["Watch", () => order({ do: "watch" })],
    ].filter(Boolean);
    const chosen = await ask(table.name, (done) => [
      el("div", { class: "menu" }, ...entries.map(([text, act]) => button(text, () => done(act)))),
      here(),
    ]);
    chosen?.();
  }

  return { menu: showMenu, invite, rules: form };
}
