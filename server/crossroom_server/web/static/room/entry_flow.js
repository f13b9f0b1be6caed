// The way into the room: back to the seat we had, past a lock, or in for the first time.

import { prompt, showLines } from "../core/dialogs.js";
import { t } from "../core/i18n.js";
import { localStore, sessionStore } from "../core/storage.js";
import { ROOT } from "./state.js";

/** Refusals that are not final: it is tried again. */
const TEMPORARY = ["INTERNAL", "MOVED", "SHUTTING_DOWN", "SLOW_DOWN", "TOO_MANY"];
const HOST = "host-"; // how invitations to a private server begin
const INVITED = "invitation";
const SEAT = "seat-"; // how links to a seat begin, after `#`
const RECALLED = 200; // log entries

export class EntryFlow {
  /** *callbacks*: `showError(text)`, `applyView()`, `addPast(entry)`, `draw()`. */
  constructor(state, connection, callbacks) {
    Object.assign(this, { state, connection, callbacks });
    this.isInside = false;
    this.problem = ""; // with a code that was typed
    this.isJoining = false; // under the name that was chosen in the lobby
    this.isResuming = false; // until then the server shows what a watcher sees
    this.refusal = null; // why we are not inside
    this.entering = null; // a promise
    this.onWelcome = null; // called when the server has said where we are
    this.hasLog = false; // watchers are not told what they missed
    this.key = ""; // that opened a locked room, or may have
    this.seatKey = `seat ${state.path}`;
    this.setupKey = `table ${state.name}`; // what was chosen in the lobby
    this.watchingKey = `watching ${state.path}`;
    this.typedKey = `typed ${state.path}`; // whether our code was typed
    this.linkKey = `link ${state.path}`;
    this.takeLink();
    this.code = sessionStore.read(this.seatKey) ?? localStore.read(this.seatKey); // of this tab first
  }

  /** Takes a link to a seat out of the address; a reload must not lose it. */
  takeLink() {
    if (!location.hash.startsWith(`#${SEAT}`)) return;
    sessionStore.write(this.linkKey, location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }

  /** Returns to the seat, or enters; resolves to false if the connection must be tried later. */
  async start() {
    const { callbacks, code, connection, state } = this;
    const link = sessionStore.read(this.linkKey);
    this.isInside = false;
    this.isResuming = Boolean(code || link);
    const welcome = new Promise((resolve) => (this.onWelcome = () => resolve({})));
    connection.request({ do: "set", setting: "reader", value: "on" });
    const moved = link && (await this.redeem(link));
    const resume = !moved && code && connection.request({ do: "resume", code, seq: state.seq });
    const isBack = Boolean(moved || resume);
    if (!isBack) this.hasLog = false;
    else if (!this.hasLog) this.loadLog();
    const { refused, lost } = await (moved || resume || welcome);
    const isTemporary = isPassing(refused);
    if (isTemporary) callbacks.showError(refused.text);
    if (isTemporary || lost) return false;
    this.isResuming = false;
    if (refused) callbacks.applyView();
    const isTyped = sessionStore.read(this.typedKey);
    sessionStore.write(this.typedKey, null);
    if (refused && isTyped) this.problem = refused.text;
    if (refused && refused.code !== "BAD_TOKEN") callbacks.showError(refused.text);
    else if (refused || !isBack) this.enterOnce(refused);
    else this.settle();
    callbacks.draw();
    return true;
  }

  /** Takes over the seat of a *link*; resolves to null, and remembers why, if it is not valid. */
  async redeem(link) {
    const answer = await this.connection.request({ do: "join", room: this.state.name, key: link });
    if (answer.lost || isPassing(answer.refused)) return answer;
    sessionStore.write(this.linkKey, null);
    if (!answer.refused) return answer;
    this.problem = answer.refused.text;
    return null;
  }

  /** Goes on at our own seat, and tells what was wrong with a link to another. */
  settle() {
    if (this.problem) this.callbacks.showError(this.problem);
    this.problem = "";
    return this.setUp();
  }

  handleWelcome({ room }) {
    this.isInside = room !== null;
    this.onWelcome();
  }

  /** Shows our seat, as we have heard everything. */
  handleLive() {
    this.isResuming = false;
    this.callbacks.applyView();
  }

  /** Takes a refusal that answers no request: of entering, if we are not inside. */
  handleRefusal(refusal) {
    this.refusal = refusal;
    if (this.isInside) this.callbacks.showError(refusal.text);
  }

  /** Enters, unless a question about that is still open: it outlives the connection. */
  enterOnce(refused) {
    if (refused) this.saveCode(null);
    if (this.isInside) this.loadLog();
    this.entering ??= this.enter().finally(() => (this.entering = null));
  }

  async enter() {
    if (!this.isInside) {
      if (!(await this.unlock())) return;
      this.loadLog();
    }
    await this.introduce();
  }

  /** Remembers the code that brings us back to our seat; null: there is none any more. */
  saveCode(code) {
    this.code = code;
    sessionStore.write(this.seatKey, code);
    localStore.write(this.seatKey, code);
  }

  /** Forgets who we were here, as the server has. */
  forget() {
    this.saveCode(null);
    localStore.write(`code of ${this.state.view?.name}`, null);
    localStore.write("name", null);
  }

  /** Comes back to the seat whose code was typed. */
  resume(code) {
    this.saveCode(code);
    sessionStore.write(this.typedKey, true);
    location.reload();
  }

  /** Loads the log so far; what happens later is told anyway. */
  async loadLog() {
    const request = { do: "recall", last: RECALLED };
    const { notices, refused, lost } = await this.connection.request(request);
    for (const { entries } of notices) entries.forEach(this.callbacks.addPast);
    this.hasLog = !refused && !lost;
    this.callbacks.draw();
  }

  /** Opens a locked room with its password, or with what an invitation has after `#`. */
  async unlock() {
    if (this.refusal?.code !== "NEED_KEY") {
      await showLines(t("You cannot come in"), [this.refusal?.text ?? ""]);
      return leave();
    }
    let key = this.key || location.hash.slice(1) || localStore.read(INVITED);
    if (key?.startsWith(HOST)) localStore.write(INVITED, key); // a reload must not lose it
    history.replaceState(null, "", location.pathname);
    let label = t("This room is locked. Its password, or what your invitation says:");
    for (;;) {
      key ||= await this.askForKey(label);
      if (!key) return leave();
      const request = { do: "join", room: this.state.name, key };
      const { refused, lost } = await this.connection.request(request);
      this.key = refused ? "" : key;
      if (key.startsWith(HOST)) localStore.write(INVITED, refused ? null : key);
      if (!refused) return !lost;
      key = "";
      label =
        refused.code === "NEED_KEY"
          ? t("That does not open it. Its password, or what your invitation says:")
          : `${refused.text}:`;
    }
  }

  async askForKey(label) {
    const attributes = { type: "password", maxlength: "64" };
    const given = await prompt(t("Locked"), label, attributes, t("Come in"));
    return given?.text;
  }

  /** Says who we are, as chosen in the lobby or asked here; or watches. */
  async introduce() {
    if (this.problem) await showLines(t("Come back to my seat"), [this.problem]);
    this.problem = "";
    const setup = sessionStore.read(this.setupKey);
    this.isJoining = Boolean(setup?.name);
    const { refused, lost } = setup?.name ? await this.takeName(setup.name) : {};
    this.isJoining = false;
    this.callbacks.draw();
    if (lost) return;
    if (setup?.name && !refused) return this.setUp();
    if (setup || !sessionStore.read(this.watchingKey)) await this.join(refused);
  }

  /** Asks for a name until one can be had, which takes a seat; or watches, or comes back. */
  async join(refusal = null) {
    const attributes = { autocomplete: "nickname", maxlength: "20", spellcheck: "false" };
    for (let last = refusal; ;) {
      const isTaken = last?.code === "NAME_TAKEN";
      const wrong = last && last.text[0].toUpperCase() + last.text.slice(1);
      const given = await prompt(
        t("Room {name}", this.state),
        wrong ? t("{wrong}. Your name:", { wrong }) : t("Your name"),
        { ...attributes, value: localStore.read("name") ?? "" },
        !this.state.view || this.state.hasFreeSeat ? t("Join") : t("Join the talk"),
        isTaken ? t("Come back to my seat") : t("Just watch"),
      );
      if (given?.other && isTaken && (await this.comeBack())) return;
      sessionStore.write(this.watchingKey, given?.text ? null : true);
      if (!given?.text) {
        sessionStore.write(this.setupKey, null);
        return this.callbacks.draw();
      }
      const { refused } = await this.takeName(given.text);
      if (!refused) {
        localStore.write("name", given.text);
        return this.setUp();
      }
      if (refused.code === "NOT_IN_ROOM") return this.enter();
      last = refused;
    }
  }

  /** Asks for the code of a seat and comes back to it; resolves to whether one was given. */
  async comeBack() {
    const label = t("The code of your seat, as the menu on your other device shows it:");
    const attributes = { maxlength: "64", spellcheck: "false" };
    const given = await prompt(t("Come back to my seat"), label, attributes, t("Come back"));
    if (given) this.resume(given.text);
    return Boolean(given);
  }

  /** Takes a name; a registered one with the code that proves whose it is. */
  async takeName(wanted) {
    const name = wanted.trim().replace(/\s+/g, "-"); // "Anna Maria"
    const codeKey = `code of ${name}`;
    const request = (code) => this.connection.request({ do: "name", name, code });
    const first = await request(localStore.read(codeKey) ?? "");
    if (first.refused?.code !== "NAME_PROTECTED") return first;
    const given = await prompt(
      t("This name is registered"),
      t("{name} is registered here. If that is you, your code:", { name }),
      { maxlength: "64" },
      t("Confirm"),
      t("Another name"),
    );
    if (!given?.text) return { refused: { text: t("{name} is somebody's", { name }) } };
    const second = await request(given.text);
    if (!second.refused && !second.lost) localStore.write(codeKey, given.text);
    return second;
  }

  /** Sets the room up as chosen in the lobby; what a lost connection took is kept for the next. */
  async setUp() {
    const setup = sessionStore.read(this.setupKey);
    if (!setup) return;
    const answers = await Promise.all(setup.wishes.map((wish) => this.connection.request(wish)));
    const wishes = setup.wishes.filter((_, at) => answers[at].lost);
    sessionStore.write(this.setupKey, wishes.length ? { ...setup, wishes } : null);
    for (const { refused } of answers) if (refused) this.callbacks.showError(refused.text);
  }
}

const isPassing = (refusal) => TEMPORARY.includes(refusal?.code);

/** Goes back to the other tables. */
function leave() {
  location.assign(ROOT);
  return false;
}
