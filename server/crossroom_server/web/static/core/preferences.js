// Settings of this browser: colours, language, sounds.

import { el, select } from "./dom.js";
import { t } from "./i18n.js";
import { localStore } from "./storage.js";
import { applyTheme } from "./theme.js";

const LANGUAGES = { en: "English", de: "Deutsch" };
const THEMES = { auto: t("Match device"), light: t("Light"), dark: t("Dark") };
const TONE_S = 0.25;

export function themeField() {
  const change = (event) => {
    localStore.write("theme", event.target.value);
    applyTheme();
  };
  const themes = select(Object.entries(THEMES), localStore.read("theme") ?? "auto", { change });
  return el("label.field", t("Colours"), themes);
}

/** Creates the choice of a language, which a cookie tells the server; *root* is the cookie's path. */
export function languageField(root) {
  const change = (event) => {
    const { pathname } = new URL(root || ".", location.href);
    document.cookie = `language=${event.target.value}; path=${pathname}; max-age=31536000; samesite=lax`;
    location.reload();
  };
  const options = Object.entries(LANGUAGES).map(([code, name]) => [code, name, { lang: code }]);
  const languages = select(options, document.documentElement.lang, { change });
  return el("label.field", t("Language"), languages);
}

export function soundField() {
  const change = () => {
    localStore.write("sounds", checkbox.checked);
    playTone(660);
  };
  const checkbox = el("input", { type: "checkbox", change });
  checkbox.checked = Boolean(localStore.read("sounds"));
  return el("label.field.check", checkbox, t("Sounds"));
}

let audio = null;

/** Plays a short tone if sounds are on. Browsers keep a page silent until its first tap or key. */
export function playTone(hertz) {
  if (!localStore.read("sounds") || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
  const end = audio.currentTime + TONE_S;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
