// The form of a room's rules: every setting that the server declares, in the server's words.

import { el, select, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";

const DEFAULT_BOT = "casual";

/** Makes a label of a name: "First player" of `first_player`. */
export const labelOf = (name) => t(name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "));

let choices = null;

/** Loads what can be chosen; *root* is the relative address of the server's root. */
export function loadChoices(root) {
  choices ??= fetch(`${root}choices.json`).then((response) =>
    response.ok ? response.json() : Promise.reject(response.status),
  );
  choices.catch(() => (choices = null));
  return choices;
}

/** A part of a form: a preset, and all single settings. */
export class RulesForm {
  /** *current*: what is set now, from `ruleValues`; null for a new room. */
  constructor(offered, current = null) {
    this.offered = offered;
    this.current = current;
    this.fields = new Map();
    this.summary = el("ul.note");
    this.times = this.timeSelect();
    this.firstPreset = offered.presets[0].name;
    const presets = offered.presets.map(({ name }) => [name, labelOf(name)]);
    const change = () => this.showPreset();
    const chosen = current?.preset ?? this.firstPreset;
    this.presets = select(presets, chosen, { name: "preset", change });
    const fields = offered.settings.map((setting) => this.field(setting));
    this.root = el(
      "div.rules",
      el("label.field", t("Rules"), this.presets),
      this.summary,
      el("label.field", t("Time"), this.times),
      el(
        "details",
        { change: () => this.showTime() },
        el("summary", t("Every single rule")),
        el("div.rules-grid", ...fields),
      ),
    );
    this.showPreset(current?.values);
  }

  get preset() {
    return this.offered.presets.find(({ name }) => name === this.presets.value);
  }

  showPreset(values = this.preset.values) {
    this.summary.replaceChildren(...this.preset.words.map((line) => el("li", line)));
    for (const [name, { write }] of this.fields) write(values[name]);
    this.showTime();
  }

  /** The choice of a time control; one that is none of those by name is the room's own. */
  timeSelect() {
    const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
    const named = this.offered.times.map(({ name, words }) => [name, capital(words)]);
    const own = ["", t("As set below"), { hidden: true }];
    return select([...named, own], "", { name: "time", change: () => this.setTime() });
  }

  /** Returns what a time control sets: the preset's values where it says nothing. */
  timeValues({ values }) {
    const names = new Set(this.offered.times.flatMap((time) => Object.keys(time.values)));
    return [...names].map((name) => [name, values[name] ?? this.preset.values[name]]);
  }

  setTime() {
    const time = this.offered.times.find(({ name }) => name === this.times.value);
    for (const [name, value] of this.timeValues(time)) this.fields.get(name).write(value);
  }

  showTime() {
    const isSet = ([name, value]) => this.fields.get(name).read() === value;
    const time = this.offered.times.find((time) => this.timeValues(time).every(isSet));
    this.times.value = time?.name ?? "";
  }

  /** Returns what must be set, in order: pairs of setting and value, the preset first. */
  changes() {
    const { current, preset } = this;
    const isSame = preset.name === (current ? current.preset : this.firstPreset);
    const before = isSame && current ? current.values : preset.values;
    const changed = [...this.fields]
      .map(([name, { read }]) => [name, read()])
      .filter(([name, value]) => value !== before[name]);
    return isSame ? changed : [["preset", preset.name], ...changed];
  }

  field(setting) {
    const about = el("span", { class: "note", id: `about-${setting.name}` });
    const field = (setting.kind === "choice" ? choiceField : numberField)(setting, about);
    this.fields.set(setting.name, field);
    return el(
      "div.field",
      el("label", { for: field.input.id }, labelOf(setting.name)),
      field.input,
      field.beside,
      about,
    );
  }
}

/** A field is `{input, beside, read(), write(value)}`; values are texts. */
function choiceField({ name, words, options }, about) {
  const describe = () => {
    const chosen = options.find(({ value }) => value === input.value);
    about.textContent = chosen?.words?.join(" ") || words;
  };
  const values = options.map(({ value }) => [value, t(value.replaceAll("_", " "))]);
  const attributes = { id: `set-${name}`, "aria-describedby": about.id, change: describe };
  const input = select(values, null, attributes);
  const write = (value) => {
    if (![...input.options].some((option) => option.value === value))
      input.append(el("option", { value }, value));
    input.value = value;
    describe();
  };
  return { input, beside: null, read: () => input.value, write };
}

function numberField({ name, words, low, high, off }, about) {
  about.textContent = t("{doc} ({low} to {high})", { doc: words, low, high });
  const input = el("input", {
    id: `set-${name}`,
    type: "number",
    min: low,
    max: high,
    inputmode: "numeric",
    required: true,
    "aria-describedby": about.id,
  });
  const toggle = () => setAttribute(input, "disabled", checkbox.checked);
  const checkbox = el("input", { type: "checkbox", change: toggle });
  const write = (value) => {
    checkbox.checked = value === "off";
    toggle();
    input.value = value === "off" ? "" : value;
  };
  const read = () => (checkbox.checked ? "off" : input.value);
  const beside = off ? el("label.off", checkbox, t("off")) : null;
  return { input, beside, read, write };
}

/** Returns the values of a `Ruleset` as the form has them. */
export function ruleValues(rules) {
  const values = Object.entries(rules).map(([name, value]) => {
    if (value === null) return [name, "off"];
    return [name, typeof value === "object" ? value.name : String(value)];
  });
  return { preset: rules.preset, values: Object.fromEntries(values) };
}

/** Creates a choice of bots, with what is said about the chosen level: `{levels, about}`. */
export function botSelect({ bots }, chosen = DEFAULT_BOT) {
  const about = el("span.note", { id: "about-bot" });
  const describe = () =>
    (about.textContent = bots.find(({ name }) => name === levels.value)?.words ?? "");
  const names = bots.map(({ name }) => [name, name]);
  const attributes = { id: "bot-level", "aria-describedby": about.id, change: describe };
  const levels = select(names, chosen, attributes);
  describe();
  return { levels, about };
}
