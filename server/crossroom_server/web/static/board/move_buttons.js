// The buttons under the rack, and what they ask before a move is sent.

import { plainText } from "../core/connection.js";
import { confirm } from "../core/dialogs.js";
import { button, el, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { chooseTiles } from "./tile_dialogs.js";

export class MoveButtons {
  /** *callbacks*: `send(command)`, `sendPlay()`, `recall()`, `shuffle()`. */
  constructor(state, play, preview, connection, callbacks) {
    Object.assign(this, { state, play, preview, connection, callbacks });
    this.root = el("div.move-buttons");
    this.moves = []; // what the buttons do, as they are drawn
  }

  draw() {
    setAttribute(this.root, "hidden", !this.state.isSeated);
    if (!this.state.isSeated) return;
    if (this.state.may("challenge")) this.challengeRisks();
    this.moves = this.currentMoves();
    this.moves.forEach(({ kind, label, isAllowed }, at) => {
      const click = () => this.moves[at].isAllowed && this.moves[at].run();
      const drawn = this.root.children[at] ?? this.root.appendChild(button("", click));
      drawn.className = kind;
      setText(drawn, label);
      setAttribute(drawn, "aria-disabled", isAllowed ? null : "true");
      setAttribute(drawn, "hidden", kind === "challenge" && !isAllowed);
    });
  }

  currentMoves() {
    const { callbacks, state } = this;
    const { turn } = state.game;
    const move = (kind, label, run) => ({ kind, label, isAllowed: state.may(kind), run });
    const { points } = this.preview;
    const isStarted = this.play.placed.length > 0;
    const recall = { label: t("Recall"), run: callbacks.recall };
    const shuffle = { label: t("Shuffle"), run: callbacks.shuffle };
    const accept = move("accept", t("Accept"), () => callbacks.send({ do: "accept", turn }));
    const place = {
      label: isStarted && points !== undefined ? t("Play {points}", { points }) : t("Play"),
      isAllowed: isStarted && state.may("place"),
      run: callbacks.sendPlay,
    };
    return [
      { kind: "shuffle", isAllowed: true, ...(isStarted ? recall : shuffle) },
      move("exchange", t("Exchange"), () => this.exchange()),
      move("pass", t("Pass"), () => this.pass()),
      move("challenge", t("Challenge"), () => this.challenge()),
      { ...(accept.isAllowed ? accept : place), kind: "main" },
    ];
  }

  /** Makes a check whether it is still this turn, and a move still allowed. */
  stillMay(option) {
    const { turn } = this.state.game;
    return () => this.state.game?.turn === turn && this.state.may(option);
  }

  async exchange() {
    const { turn } = this.state.game;
    const own = this.play.tiles.filter((tile) => !tile.borrowedFor).map((tile) => tile.kind);
    const picked = await chooseTiles(own, this.state.tilePoints, this.stillMay("exchange"));
    const tiles = picked?.map((kind) => ([...kind].length > 1 ? `[${kind}]` : kind)).join("");
    if (picked && (await this.callbacks.send({ do: "exchange", tiles, turn })))
      this.callbacks.recall();
  }

  async pass() {
    const { turn } = this.state.game;
    const isCurrent = this.stillMay("pass");
    if (await confirm(t("Pass?"), [t("Your turn ends without a play.")], t("Pass"), { isCurrent }))
      this.callbacks.send({ do: "pass", turn });
  }

  async challenge() {
    const { turn, open_play: played } = this.state.game;
    const title = t("Challenge {words}?", { words: played?.words.join(", ") ?? "" });
    const isCurrent = this.stillMay("challenge");
    if (await confirm(title, await this.challengeRisks(), t("Challenge"), { isCurrent }))
      this.callbacks.send({ do: "challenge", turn });
  }

  /** Fetches lines on what a challenge risks, once in a game, before anybody wants to know. */
  challengeRisks() {
    const { games } = this.state.view;
    if (this.risks?.games === games) return this.risks.lines;
    const fetchLines = async () => {
      const request = { do: "rules", section: "challenges" };
      const { notices, lost } = await this.connection.request(request);
      if (lost) this.risks = null;
      return notices.flatMap(({ plain }) => plainText(plain).slice(1));
    };
    this.risks = { games, lines: fetchLines() };
    return this.risks.lines;
  }
}
