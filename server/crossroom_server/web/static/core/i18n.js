// Translates the texts of the page into the language of the document.

/** English texts with their translations, pairs where there is a plural. Not loaded for English. */
const translations = globalThis.translations ?? {};
const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (name in values ? values[name] : `{${name}}`));

/** Translates a template and fills it in: `t("{name} wins", { name })`. */
export const t = (template, values = {}) => fill(translations[template] ?? template, values);

/** Translates a template that depends on a number, which it names `{count}`. */
export function plural(one, other, count) {
  const [singular, several] = translations[one] ?? [one, other];
  return fill(plurals.select(count) === "one" ? singular : several, { count });
}
