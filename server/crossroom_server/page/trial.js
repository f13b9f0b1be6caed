// What a play would be worth: the server is asked once the tiles lie still, before they are sent.

import { say, several } from "./speech.js";

const TRY_AFTER = 150; // ms without another change
const ON_THE_WAY = ["NOT_IN_ROOM", "MOVED", "SHUTTING_DOWN"]; // one of the two, to the other

export class Trial {
  /** *table* gets `tried`, the newest answer. *act*: `announce(text)`, `draw()`. */
  constructor(table, composition, line, act) {
    Object.assign(this, { table, composition, line, act });
    this.waiting = 0;
  }

  /** The tiles may lie otherwise, or the view be another: asks again if the play is. */
  consider() {
    const { table } = this;
    const { play } = this.composition;
    const key = play && JSON.stringify([play, table.view.game?.version]);
    if (key === (table.tried?.key ?? null)) return;
    table.tried = key && { key };
    clearTimeout(this.waiting);
    if (key) this.waiting = setTimeout(() => this.attempt(play, key), TRY_AFTER);
  }

  async attempt(play, key) {
    const { table } = this;
    const { notices, refused, lost } = await this.line.ask({ do: "try", ...play });
    if (table.tried?.key !== key) return;
    if (lost || ON_THE_WAY.includes(refused?.code)) {
      table.tried = null; // it is asked again when the room is there again
      return;
    }
    table.tried = { key, refused, ...notices.find(({ tell }) => tell === "tried") };
    this.act.announce(this.words);
    this.act.draw();
  }

  /** What is known of the tiles that lie there; empty if none do. */
  get words() {
    const { tried } = this.table;
    if (!this.composition.placed.length) return "";
    if (!this.composition.play) return say("These tiles do not make one line yet");
    if (tried?.refused) return tried.refused.text;
    if (!tried?.words) return "\u2026";
    const points = several("{count} point", "{count} points", tried.points);
    const told = say("{words}: {points}", { words: tried.words.join(", "), points });
    if (tried.good === null) return told;
    return tried.good
      ? say("{told} \u2713 in the word list", { told })
      : say("{told} \u2717 not in the word list", { told });
  }
}
