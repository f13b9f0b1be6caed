// What one may do: the buttons under the rack, and the answers to an offer.

import { el, set, write } from "./base.js";
import * as dialogs from "./dialogs.js";
import { words } from "./panels.js";
import { say } from "./speech.js";

export class Tools {
  /** *act*: `order(command)`, `recall()`, `shuffle()`, `send()`, `values()`. */
  constructor(table, composition, line, act) {
    Object.assign(this, { table, composition, line, act });
    this.root = el("div", { class: "buttons" });
  }

  /** Is it still the same turn, and may one do that in it? */
  may(what, { turn }) {
    const { game } = this.table.view;
    return game?.turn === turn && game.options.includes(what);
  }

  async exchange() {
    const tiles = this.composition.tiles.filter((held) => !held.lent).map((held) => held.tile);
    const { game } = this.table.view;
    const points = this.act.values();
    const picked = await dialogs.exchange(tiles, points, () => this.may("exchange", game));
    const spelt = picked?.map((tile) => ([...tile].length > 1 ? `[${tile}]` : tile)).join("");
    if (picked && (await this.act.order({ do: "exchange", tiles: spelt, turn: game.turn })))
      this.act.recall();
  }

  async challenge() {
    const { game } = this.table.view;
    const doubted = game.open_play?.words.join(", ") ?? "";
    const title = say("Challenge {words}?", { words: doubted });
    const how = { still: () => this.may("challenge", game) };
    if (await dialogs.confirm(title, await this.risks(), say("Challenge"), how))
      this.act.order({ do: "challenge", turn: game.turn });
  }

  /** Lines that say what a challenge risks; asked once in a game, before anybody wants to know. */
  risks() {
    const { games } = this.table.view;
    if (this.told?.games === games) return this.told.lines;
    const asked = this.line.ask({ do: "rules", section: "challenges" });
    const lines = asked.then(({ notices, lost }) => {
      if (lost) this.told = null;
      return notices.flatMap(({ plain }) => words(plain).slice(1));
    });
    this.told = { games, lines };
    return lines;
  }

  async pass() {
    const { game } = this.table.view;
    const about = [say("Your turn ends without a play.")];
    const how = { still: () => this.may("pass", game) };
    if (await dialogs.confirm(say("Pass?"), about, say("Pass"), how))
      this.act.order({ do: "pass", turn: game.turn });
  }

  draw(game, seated) {
    set(this.root, "hidden", !seated);
    if (!seated) return;
    const may = new Set(game.options);
    if (may.has("challenge")) this.risks();
    const placed = this.composition.placed.length > 0;
    const points = this.table.tried?.points;
    const wanted = [
      [
        "shuffle",
        placed ? say("Recall") : say("Shuffle"),
        placed ? this.act.recall : this.act.shuffle,
        true,
      ],
      ["exchange", say("Exchange"), () => this.exchange(), may.has("exchange")],
      ["pass", say("Pass"), () => this.pass(), may.has("pass")],
      ["challenge", say("Challenge"), () => this.challenge(), may.has("challenge")],
      may.has("accept")
        ? ["main", say("Accept"), () => this.act.order({ do: "accept", turn: game.turn }), true]
        : [
            "main",
            placed && points !== undefined ? say("Play {points}", { points }) : say("Play"),
            this.act.send,
            may.has("place") && placed,
          ],
    ];
    wanted.forEach(([kind, text, click, can], at) => {
      const button =
        this.root.children[at] ??
        this.root.appendChild(el("button", { type: "button", click: () => button.does() }));
      button.className = kind;
      write(button, text);
      set(button, "aria-disabled", can ? null : "true");
      set(button, "hidden", kind === "challenge" && !can);
      button.does = can ? click : () => {};
    });
  }
}

/** What another player asks for, or what we asked for. */
export class Offers {
  constructor(table, order) {
    Object.assign(this, { table, order });
    this.root = el("div", { class: "offer panel", role: "region", "aria-label": say("An offer") });
  }

  draw(open) {
    set(this.root, "hidden", !open);
    const key = open ? `${open.what} ${open.name} ${open.waiting}` : "";
    if (this.root.dataset.key === key) return;
    this.root.dataset.key = key;
    if (!open) return this.root.replaceChildren();
    const own = open.name === this.table.view.name;
    const asked = open.waiting.includes(this.table.view.name);
    const what = {
      undo: say("take the latest turn back"),
      adjourn: say("stop here and play on another time"),
      abort: say("end the game without a result"),
    }[open.what];
    this.root.replaceChildren(
      el(
        "p",
        {},
        own
          ? say("You ask to {what}. Waiting for {names}.", { what, names: open.waiting.join(", ") })
          : say("{name} asks to {what}.", { name: open.name, what }),
      ),
      el(
        "div",
        { class: "answers" },
        own && dialogs.button(say("Take it back"), () => this.order({ do: "decline" })),
        asked && dialogs.button(say("Decline"), () => this.order({ do: "decline" })),
        asked && dialogs.button(say("Agree"), () => this.order({ do: "agree" }), "main"),
      ),
    );
  }
}

/** Whom the game waits for, in a few words; empty if it waits for nobody. */
export function standing(game, mine) {
  if (!game || game.phase === "over") return "";
  if (game.adjourned) return say("The game is adjourned; it goes on when all are back and ready");
  if (game.phase === "last_word")
    return mine
      ? say("The last play: accept or challenge")
      : say("Waiting for {names}", {
          names: game.awaited.map((seat) => game.players[seat].name).join(", "),
        });
  return mine ? say("Your turn") : say("{name} to move", game.players[game.on_turn]);
}
