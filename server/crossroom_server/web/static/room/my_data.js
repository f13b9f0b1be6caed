// What the server keeps of us: to take along, or to delete.

import { UNSENT, plainText } from "../core/connection.js";
import { confirm, openDialog, showLines } from "../core/dialogs.js";
import { button, buttonRow, el } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { ROOT } from "./state.js";

/**
 * Lets people save what is kept of them, or delete it.
 * @param {any} connection
 * @param {() => void} forget  is called when it is deleted: this browser has codes of it, too
 */
export async function showMyData(connection, forget) {
  const title = t("What is kept of you");
  const fill = (done) => [
    el("p", t("Your games, what you have said, and when you were last here.")),
    buttonRow(
      button(t("Delete it"), () => done("delete")),
      button(t("Save as a file"), () => done("export"), { class: "main" }),
    ),
  ];
  const chosen = await openDialog(title, fill);
  if (chosen === "export") await save(title, connection);
  if (chosen === "delete") await erase(connection, forget);
}

async function save(title, connection) {
  const request = { do: "mydata", action: "export" };
  const { notices, refused, lost } = await connection.request(request);
  if (refused || lost) return showLines(title, [refused?.text ?? UNSENT]);
  const lines = plainText(notices.flatMap(({ plain }) => plain ?? []));
  const href = URL.createObjectURL(new Blob([lines.join("\n")], { type: "application/json" }));
  el("a", { href, download: "crossroom.json" }).click();
  URL.revokeObjectURL(href);
}

async function erase(connection, forget) {
  const title = t("Delete it");
  const text = t(
    "Your seat, your registration and what you have said are deleted. In finished games, which are the others' too, you are a former player. Nothing brings that back.",
  );
  if (!(await confirm(title, [text], t("Delete it")))) return;
  const request = { do: "mydata", action: "delete", sure: "yes" };
  const { refused, lost } = await connection.request(request);
  if (refused || lost) return showLines(title, [refused?.text ?? UNSENT]);
  forget();
  location.assign(ROOT);
}
