// Elements of a page: how they are made and changed. Texts are never parsed as markup.

/**
 * Creates an element: `el("p.note", { id: "about" }, "text")`.
 * @param {string} selector  a tag and classes
 * @param {...any} parts  attributes, if the first is an object, in which functions are listeners,
 *   and `null` and false are left out; then children: texts and nodes, without empty ones
 * @returns {any}
 */
export function el(selector, ...parts) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...parts.filter(Boolean));
  return element;
}

/** Sets an attribute or adds a listener; `null` and false remove the attribute. */
export function setAttribute(element, name, value) {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

/** Sets a text only where it differs, so that a screen reader does not repeat it. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const find = (selector, root = document) => root.querySelector(selector);

export const button = (text, click, attributes = {}) =>
  el("button", { type: "button", ...attributes, click }, text);

/** Creates what screen readers are told by: a log that only grows. */
export const liveRegion = () => el("div.sr-only", { "aria-live": "polite", role: "log" });

/** Creates the row of buttons that ends a dialog or a panel. */
export const buttonRow = (...buttons) => el("div.button-row", ...buttons);

/** Creates a form that calls *submit* instead of loading a page. */
export function form(submit, attributes, ...children) {
  const handle = (event) => {
    event.preventDefault();
    submit();
  };
  return el("form", { ...attributes, submit: handle }, ...children);
}

/** Creates a choice of *options*: pairs of value and text, or elements. */
export function select(options, chosen, attributes = {}) {
  const items = options.map(([value, text, more]) =>
    el("option", { value, selected: value === chosen, ...more }, text),
  );
  return el("select", attributes, ...items);
}
