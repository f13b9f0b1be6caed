// Copying a text.

import { el } from "./dom.js";

/** Copies a text; resolves to whether that was done. Pages over plain http have only the old way. */
export async function writeClipboard(text) {
  if (!navigator.clipboard) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copySelected(text) {
  const field = el("textarea.sr-only", { readonly: true }, text);
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  const before = document.activeElement;
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus();
  return isCopied;
}
