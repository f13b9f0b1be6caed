// What all pages share: elements, what this browser remembers, light and dark.

import { say } from "./speech.js";

/**
 * An element. Texts are text and nothing else: no markup is ever made of what people say.
 * @param {string} kind  name of the tag
 * @param {Object<string, any>} [has]  attributes; functions are listeners, `null` and false are left out
 * @param {...(Node|string|null|false|undefined)} inside
 * @returns {any}
 */
export function el(kind, has = {}, ...inside) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(has)) set(made, name, value);
  made.append(...inside.filter((part) => part !== null && part !== false && part !== undefined));
  return made;
}

/** Sets one attribute or listener; `null` and false take it away. */
export function set(element, name, value) {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

/** Changes a text only where it differs, so that nobody is read the same thing twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const find = (selector, inside = document) => inside.querySelector(selector);

/** What this browser remembers, if it lets us. */
class Memory {
  constructor(store) {
    this.store = store;
  }

  read(key) {
    try {
      return JSON.parse(this.store().getItem(`crossroom ${key}`));
    } catch {
      return null;
    }
  }

  keep(key, value) {
    try {
      if (value === null) this.store().removeItem(`crossroom ${key}`);
      else this.store().setItem(`crossroom ${key}`, JSON.stringify(value));
    } catch {
      // a private window: then it is asked again next time
    }
  }
}

export const memory = new Memory(() => localStorage);
export const passing = new Memory(() => sessionStorage);

const LANGUAGES = { en: "English", de: "Deutsch" };
const THEMES = { auto: say("As the device"), light: say("Light"), dark: say("Dark") };

/** Light, dark, or as the device has it. */
export function dress() {
  const theme = memory.read("theme");
  set(document.documentElement, "data-theme", theme === "light" || theme === "dark" ? theme : null);
}

/** The switch between light and dark. */
export function themes() {
  const chosen = memory.read("theme") ?? "auto";
  const pick = (event) => {
    memory.keep("theme", event.target.value);
    dress();
  };
  const options = Object.entries(THEMES).map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text),
  );
  return el(
    "label",
    { class: "field" },
    say("Colours"),
    el("select", { change: pick }, ...options),
  );
}

/** The choice of a language, which the server learns from a cookie; *root* is where that holds. */
export function languages(root, chosen) {
  const pick = (event) => {
    const { pathname } = new URL(root || ".", location.href);
    document.cookie = `language=${event.target.value}; path=${pathname}; max-age=31536000; samesite=lax`;
    chosen(event.target.value);
  };
  const options = Object.entries(LANGUAGES).map(([value, text]) =>
    el("option", { value, lang: value, selected: value === document.documentElement.lang }, text),
  );
  return el(
    "label",
    { class: "field" },
    say("Language"),
    el("select", { change: pick }, ...options),
  );
}

/** `1:05` or `1:01:05`; below zero with a minus. Milliseconds in. */
export function clock(ms) {
  const seconds = Math.abs(ms < 0 ? Math.floor(ms / 1000) : Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  const text = shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
  return ms < 0 ? `\u2212${text}` : text;
}

let sounds = null;

/** A short tone, where sounds are on. Before the first touch or key a browser lets no page be heard. */
export function beep(hertz) {
  if (!memory.read("sounds") || navigator.userActivation?.hasBeenActive === false) return;
  sounds ??= new AudioContext();
  if (sounds.state !== "running") sounds.resume();
  const [tone, volume] = [sounds.createOscillator(), sounds.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.12, sounds.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.25);
  tone.connect(volume).connect(sounds.destination);
  tone.start();
  tone.stop(sounds.currentTime + 0.25);
}
