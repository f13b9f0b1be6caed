// The way in: back to the seat one had, past a lock, or in for the first time.

import { el, memory, passing } from "./base.js";
import * as dialogs from "./dialogs.js";
import { say } from "./speech.js";

export class Door {
  /** *act*: `order(command)`, `tell(text)`, `settle()`, `draw()`, `past(entry)`. */
  constructor(table, line, act) {
    Object.assign(this, { table, line, act });
  }

  /** A new connection: comes back to the seat; who has none comes in after that, or watches. */
  async greet() {
    this.table.inside = false;
    const fresh = this.table.seq === null;
    this.table.resuming = memory.read(`seat ${this.table.path}`) !== null;
    await this.line.send({ do: "set", setting: "reader", value: "on" });
    this.enter(await this.resumed(), fresh);
  }

  async enter(resumes, fresh) {
    if (!resumes) {
      if (!this.table.inside && !(await this.admitted())) return;
      await this.introduce();
    }
    if (fresh || !resumes) {
      const { notices } = await this.line.ask({ do: "recall", last: 200 });
      for (const { entries } of notices) entries.forEach(this.act.past);
    }
    this.act.draw();
  }

  async resumed() {
    const code = memory.read(`seat ${this.table.path}`);
    if (!code) return false;
    const { refused, lost } = await this.line.send({ do: "resume", code, seq: this.table.seq });
    this.table.resuming = false;
    if (lost) return true;
    if (!refused) return true;
    if (refused.code === "BAD_TOKEN") memory.keep(`seat ${this.table.path}`, null);
    else this.act.tell(refused.text);
    this.act.settle();
    return refused.code !== "BAD_TOKEN";
  }

  /** Comes in where the door was shut; or learns why not, and goes back to the other tables. */
  async admitted() {
    const { barred } = this.table;
    const open =
      barred?.code === "NEED_KEY"
        ? await this.unlock()
        : await dialogs.read(say("You cannot come in"), [barred?.text ?? ""]);
    if (!open) location.assign(this.table.root);
    return open;
  }

  /** A locked room: asks for its password, or for what an invitation says after `#`. */
  async unlock() {
    let key = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    for (let why = say("This table is locked. Its password, or what your invitation says:"); ;) {
      if (!key) {
        const input = el("input", {
          type: "password",
          autocomplete: "off",
          autofocus: true,
          maxlength: "64",
        });
        const given = await dialogs.text(say("Locked"), why, input, say("Come in"));
        if (!given) return false;
        key = given.text;
      }
      const { refused } = await this.line.ask({ do: "join", room: this.table.name, key });
      if (!refused) return true;
      why =
        refused.code === "NEED_KEY"
          ? say("That does not open it. Its password, or what your invitation says:")
          : `${refused.text}:`;
      key = "";
    }
  }

  /** Says who we are: as chosen in the lobby, or asked here; or watches. */
  async introduce() {
    const chosen = passing.read(`table ${this.table.name}`);
    passing.keep(`table ${this.table.name}`, null);
    let refused = null;
    if (chosen) {
      ({ refused } = await this.call(chosen.name));
      if (!refused) return this.prepare(chosen);
    }
    if (!passing.read(`watching ${this.table.path}`)) await this.sit(refused?.text);
  }

  async sit(why = "") {
    for (let wrong = why; ;) {
      const input = el("input", {
        autocomplete: "nickname",
        maxlength: "20",
        spellcheck: "false",
        autofocus: true,
        value: memory.read("name") ?? "",
      });
      const given = await dialogs.text(
        say("Table {name}", this.table),
        wrong ? say("{wrong}. Your name:", { wrong }) : say("What shall we call you?"),
        input,
        say("Take a seat"),
        { other: say("Just watch") },
      );
      passing.keep(`watching ${this.table.path}`, given?.text ? null : true);
      if (!given?.text) return this.act.draw();
      const { refused, lost } = await this.call(given.text);
      if (lost) return;
      if (!refused) return memory.keep("name", given.text);
      wrong = refused.text;
    }
  }

  /** Takes a name; if it is registered, with the code that proves whose it is. */
  async call(name) {
    const known = memory.read(`code of ${name}`);
    const first = await this.line.ask({ do: "name", name, code: known ?? "" });
    if (first.refused?.code !== "NAME_PROTECTED") return first;
    const input = el("input", { autocomplete: "off", autofocus: true, maxlength: "64" });
    const about = say("{name} is registered here. If that is you, your code:", { name });
    const given = await dialogs.text(say("Whose name"), about, input, say("Prove it"), {
      other: say("Another name"),
    });
    if (!given?.text) return { refused: { text: say("{name} is somebody's", { name }) } };
    const second = await this.line.ask({ do: "name", name, code: given.text });
    if (!second.refused && !second.lost) memory.keep(`code of ${name}`, given.text);
    return second;
  }

  async prepare({ settings, bots }) {
    for (const [setting, value] of settings) await this.act.order({ do: "set", setting, value });
    for (const what of bots) await this.act.order({ do: "bot", action: "add", what });
  }
}
