// The form of a table's rules: every setting of the server's declaration, in the server's words.

import { el, set } from "./base.js";
import { say } from "./speech.js";

/** `first_player` as a label. */
export const label = (name) =>
  say(name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "));

let asked = null;

/** What there is to choose; *root* is the relative address of the server's root. */
export function choices(root) {
  asked ??= fetch(`${root}choices.json`).then((answer) =>
    answer.ok ? answer.json() : Promise.reject(answer.status),
  );
  asked.catch(() => (asked = null));
  return asked;
}

/** A form part for a preset and all settings. `changes()` has those to send, in order. */
export class RulesForm {
  constructor(offer, current = null) {
    this.offer = offer;
    this.current = current;
    this.fields = new Map();
    this.said = el("ul", { class: "words" });
    this.preset = el("select", { name: "preset", change: () => this.choose() });
    for (const { name } of offer.presets)
      this.preset.append(el("option", { value: name }, label(name)));
    const all = offer.settings.map((setting) => this.field(setting));
    this.root = el(
      "div",
      { class: "rules" },
      el("label", { class: "field" }, say("Rules"), this.preset),
      this.said,
      el(
        "details",
        {},
        el("summary", {}, say("Every single rule")),
        el("div", { class: "grid" }, ...all),
      ),
    );
    this.preset.value = current?.preset ?? offer.presets[0].name;
    this.choose(current?.values);
  }

  get base() {
    return this.offer.presets.find(({ name }) => name === this.preset.value);
  }

  choose(values = this.base.values) {
    this.said.replaceChildren(...this.base.words.map((line) => el("li", {}, line)));
    for (const [name, { put }] of this.fields) put(values[name]);
  }

  /** What must be set, beginning with the preset: pairs of setting and value. */
  changes() {
    const now = Object.fromEntries([...this.fields].map(([name, { get }]) => [name, get()]));
    const same = this.current && this.current.preset === this.base.name;
    const before = same ? this.current.values : this.base.values;
    const changed = Object.entries(now).filter(([name, value]) => value !== before[name]);
    const fresh = this.current ? !same : this.base.name !== this.offer.presets[0].name;
    return fresh ? [["preset", this.base.name], ...changed] : changed;
  }

  field(setting) {
    const words = el("span", { class: "words", id: `about-${setting.name}` });
    const made =
      setting.kind === "choice" ? this.choice(setting, words) : this.number(setting, words);
    this.fields.set(setting.name, made);
    return el(
      "div",
      { class: "field" },
      el("label", { for: `set-${setting.name}` }, label(setting.name)),
      made.input,
      made.beside,
      words,
    );
  }

  choice({ name, words: doc, options }, words) {
    const tell = () => {
      const chosen = options.find(({ value }) => value === input.value);
      words.textContent = chosen?.words?.join(" ") || doc;
    };
    const input = el("select", { id: `set-${name}`, "aria-describedby": words.id, change: tell });
    for (const { value } of options)
      input.append(el("option", { value }, value.replaceAll("_", " ")));
    const put = (value) => {
      if (![...input.options].some((option) => option.value === value))
        input.append(el("option", { value }, value));
      input.value = value;
      tell();
    };
    return { input, put, get: () => input.value, beside: null };
  }

  number({ name, words: doc, low, high, off }, words) {
    words.textContent = say("{doc} ({low} to {high})", { doc, low, high });
    const input = el("input", {
      id: `set-${name}`,
      type: "number",
      min: low,
      max: high,
      inputmode: "numeric",
      "aria-describedby": words.id,
    });
    const box =
      off && el("input", { type: "checkbox", change: () => set(input, "disabled", box.checked) });
    const put = (value) => {
      if (box) box.checked = value === "off";
      set(input, "disabled", value === "off");
      set(input, "required", true);
      input.value = value === "off" ? "" : value;
    };
    const get = () => (box?.checked ? "off" : input.value);
    return { input, put, get, beside: box ? el("label", { class: "off" }, box, say("off")) : null };
  }
}

/** The values of a `Ruleset` as the form has them. */
export function current(rules) {
  const values = Object.entries(rules).map(([name, value]) => {
    if (value === null) return [name, "off"];
    return [name, typeof value === "object" ? value.name : String(value)];
  });
  return { preset: rules.preset, values: Object.fromEntries(values) };
}

/** A choice of bots, with what is said of each level. */
export function bots(offer, chosen = "casual") {
  const words = el("span", { class: "words", id: "about-bot" });
  const tell = () =>
    (words.textContent = offer.bots.find(({ name }) => name === select.value)?.words ?? "");
  const select = el("select", { id: "bot-level", "aria-describedby": "about-bot", change: tell });
  for (const { name } of offer.bots)
    select.append(el("option", { value: name, selected: name === chosen }, name));
  tell();
  return { select, words };
}
