// What the tentative play would score: the server is asked once its tiles lie still.

import { plural, t } from "../core/i18n.js";

const TRY_DELAY_MS = 150; // after the latest change
/** Refusals while the connection or the room is elsewhere; it is asked again after that. */
const TEMPORARY = ["NOT_IN_ROOM", "MOVED", "SHUTTING_DOWN"];

export class ScorePreview {
  /** *onAnswer()* is called when `text` and `points` have become known. */
  constructor(state, play, connection, onAnswer) {
    Object.assign(this, { state, play, connection, onAnswer });
    this.key = null; // of the play that was asked about, or is to be
    this.answer = null; // the notice `tried`, or a refusal
    this.timer = 0;
  }

  get points() {
    return this.answer?.points;
  }

  get isRefused() {
    return this.answer?.tell === "refused";
  }

  /** Asks again if the play, or the game below it, has changed. */
  update() {
    const { notation } = this.play;
    const key = notation && JSON.stringify([notation, this.state.game?.version]);
    if (key === this.key) return;
    this.key = key;
    this.answer = null;
    clearTimeout(this.timer);
    if (key) this.timer = setTimeout(() => this.ask(notation, key), TRY_DELAY_MS);
  }

  async ask(notation, key) {
    const { notices, refused, lost } = await this.connection.request({ do: "try", ...notation });
    if (this.key !== key) return;
    if (lost || TEMPORARY.includes(refused?.code)) {
      this.key = null;
      return;
    }
    this.answer = refused ?? notices.find(({ tell }) => tell === "tried");
    this.onAnswer();
  }

  /** Describes the tiles on the board; empty if there are none. */
  get text() {
    const { answer, play } = this;
    if (!play.placed.length) return "";
    if (!play.notation) return t("These tiles do not make one line yet");
    if (!answer) return "\u2026";
    if (this.isRefused) return answer.text;
    const points = plural("{count} point", "{count} points", answer.points);
    const told = t("{words}: {points}", { words: answer.words.join(", "), points });
    if (answer.good === null) return told;
    return answer.good
      ? t("{told} \u2713 in the word list", { told })
      : t("{told} \u2717 not in the word list", { told });
  }
}
