// What the page says, in the language that the server has written it in.

/** English texts, each with its translation; of those with numbers both forms. Empty for English. */
const table = globalThis.speech ?? {};
const forms = new Intl.PluralRules(document.documentElement.lang || "en");

const fill = (text, about) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (name in about ? about[name] : `{${name}}`));

/** The text that a template makes: `say("{name} wins", { name })`. */
export const say = (template, about = {}) => fill(table[template] ?? template, about);

/** Like `say`, for a number of things, which the templates call `count`. */
export function several(one, many, count) {
  const [single, others] = table[one] ?? [one, many];
  return fill(forms.select(count) === "one" ? single : others, { count });
}
