// The way in: back to the seat one had, past a lock, or in for the first time.

import { el, memory, passing } from "./base.js";
import * as dialogs from "./dialogs.js";
import { say } from "./speech.js";

const LATER = ["INTERNAL", "MOVED", "SHUTTING_DOWN", "SLOW_DOWN", "TOO_MANY"]; // no answer for good

export class Door {
  /** *act*: `tell(text)`, `settle()`, `draw()`, `past(entry)`. */
  constructor(table, line, act) {
    Object.assign(this, { table, line, act });
    this.key = ""; // that opened a locked room, or may have
    this.recalled = false;
    this.seat = `seat ${table.path}`;
    this.code = passing.read(this.seat) ?? memory.read(this.seat); // other tabs may get others
    this.coming = null;
    this.welcomed = null; // to be called when the server has said where we are
  }

  /** A new connection: comes back to the seat; who has none comes in, or watches. False: later. */
  async greet() {
    const { table, line, code } = this;
    table.inside = false;
    table.resuming = code !== null;
    const welcome = new Promise((heard) => (this.welcomed = () => heard({})));
    line.ask({ do: "set", setting: "reader", value: "on" });
    const back = code && line.ask({ do: "resume", code, seq: table.seq });
    if (!code) this.recalled = false; // who watches is not told what they missed
    else if (!this.recalled) this.recall();
    const { refused, lost } = await (back ?? welcome);
    const isLater = LATER.includes(refused?.code);
    if (isLater) this.act.tell(refused.text);
    if (isLater || lost) return false;
    table.resuming = false;
    if (refused) this.act.settle();
    if (refused && refused.code !== "BAD_TOKEN") this.act.tell(refused.text);
    else if (refused || !code) this.arrive(refused);
    else this.prepare();
    this.act.draw();
    return true;
  }

  /** Comes in, once: a question that is open outlives the line it was asked on. */
  arrive(refused) {
    if (refused) this.named(null);
    if (this.table.inside) this.recall();
    this.coming ??= this.enter().finally(() => (this.coming = null));
  }

  async enter() {
    if (!this.table.inside) {
      if (!(await this.admitted())) return;
      this.recall();
    }
    await this.introduce();
  }

  /** We have a name here, and a code that brings us back; or none any more. */
  named(code) {
    this.code = code;
    passing.keep(this.seat, code);
    memory.keep(this.seat, code);
  }

  /** The log so far; of what comes later everybody is told. */
  async recall() {
    const { notices, refused, lost } = await this.line.ask({ do: "recall", last: 200 });
    for (const { entries } of notices) entries.forEach(this.act.past);
    this.recalled = !refused && !lost;
    this.act.draw();
  }

  /** Comes in where the door was shut; or learns why not, and goes back to the other tables. */
  async admitted() {
    const { barred } = this.table;
    if (barred?.code === "NEED_KEY") return this.unlock();
    await dialogs.read(say("You cannot come in"), [barred?.text ?? ""]);
    location.assign(this.table.root);
    return false;
  }

  /** A locked room: asks for its password, or for what an invitation says after `#`. */
  async unlock() {
    let key = this.key || location.hash.slice(1);
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
        if (!given) location.assign(this.table.root);
        if (!given) return false;
        key = given.text;
      }
      const { refused, lost } = await this.line.ask({ do: "join", room: this.table.name, key });
      this.key = refused ? "" : key;
      if (!refused) return !lost;
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
    this.table.naming = chosen !== null;
    const { refused, lost } = chosen ? await this.call(chosen.name) : {};
    this.table.naming = false;
    this.act.draw();
    if (lost) return;
    if (chosen && !refused) return this.prepare();
    passing.keep(`table ${this.table.name}`, null);
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
      const { refused } = await this.call(given.text);
      if (!refused) return memory.keep("name", given.text);
      if (refused.code === "NOT_IN_ROOM") return this.enter();
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

  /** Asks for what was chosen in the lobby, all at once; what a broken line took is asked again. */
  async prepare() {
    const chosen = passing.read(`table ${this.table.name}`);
    if (!chosen) return;
    const answers = await Promise.all(chosen.wishes.map((wish) => this.line.ask(wish)));
    const wishes = chosen.wishes.filter((_, at) => answers[at].lost);
    passing.keep(`table ${this.table.name}`, wishes.length ? { ...chosen, wishes } : null);
    for (const { refused } of answers) if (refused) this.act.tell(refused.text);
  }
}
