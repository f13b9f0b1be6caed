// The colour theme that was chosen in this browser.

import { setAttribute } from "./dom.js";
import { localStore } from "./storage.js";

/** Applies the chosen theme; "auto", the default, leaves it to the device. */
export function applyTheme() {
  const theme = localStore.read("theme");
  const fixed = theme === "light" || theme === "dark" ? theme : null;
  setAttribute(document.documentElement, "data-theme", fixed);
}
