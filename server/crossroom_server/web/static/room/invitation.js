// How friends get to the table: its address, a QR code, and lines for terminals.

import { writeClipboard } from "../core/clipboard.js";
import { UNSENT, plainText } from "../core/connection.js";
import { openDialog, showLines } from "../core/dialogs.js";
import { button, el, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { announce } from "./status_line.js";

/** Shows the address of the table; a locked one needs an invitation. */
export async function invite(state, connection, terminalHelp) {
  const title = t("Invite a friend");
  if (!state.isLocked) {
    const address = location.href.replace(/[?#].*$/, "");
    const src = `${encodeURIComponent(state.name)}/qr.svg`;
    const alt = t("QR code of {address}", { address });
    return openDialog(title, () => [
      el("p", t("Whoever opens this address can join, with nothing to install:")),
      addressField(address),
      el("img.qr", { src, alt }),
      terminalHelp,
    ]);
  }
  const { notices, refused } = await connection.request({ do: "invite" });
  const [invitation] = notices;
  if (!invitation) return showLines(title, [refused?.text ?? UNSENT]);
  const lines = plainText(invitation.plain).join("\n");
  return openDialog(title, () => [
    el("p", t("The room is locked. This address lets one friend in, once, within a day:")),
    addressField(invitation.page),
    el("p", t("In a terminal:")),
    el("pre", { tabindex: "0" }, lines),
  ]);
}

/** Creates a field with an address to copy. */
export function addressField(address, label = t("Address of this room")) {
  const select = () => input.select();
  const attributes = { readonly: true, value: address, focus: select };
  const input = el("input", { ...attributes, "aria-label": label });
  const copy = async () => {
    const isCopied = await writeClipboard(address);
    setText(copyButton, isCopied ? t("Copied") : t("Copy"));
    if (isCopied) announce(t("Copied"));
  };
  const copyButton = button(t("Copy"), copy);
  return el("div.pair", input, copyButton);
}
