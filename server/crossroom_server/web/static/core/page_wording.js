// The server's texts name commands, as terminals have them; here they are named by what one presses.

import { t } from "./i18n.js";

/** What each command is called on the page; whatever else there is, the menu has. */
const LABELS = {
  abort: t("Abort"),
  accept: t("Accept"),
  adjourn: t("Adjourn"),
  agree: t("Agree"),
  analyze: t("Analysis"),
  ban: t("People"),
  bans: t("People"),
  bot: t("Add a bot"),
  challenge: t("Challenge"),
  decline: t("Decline"),
  exchange: t("Exchange"),
  export: t("Record (GCG)"),
  games: t("My games"),
  hint: t("Hint"),
  invite: t("Invite"),
  join: t("Come in"),
  name: t("Join"),
  pass: t("Pass"),
  play: t("Play"),
  r: t("Rules"),
  ready: t("Ready"),
  register: t("Register my name"),
  resign: t("Resign"),
  resume: t("Come back to my seat"),
  rules: t("Rules"),
  score: t("Score sheet"),
  set: t("Rules"),
  shuffle: t("Shuffle"),
  sit: t("Join"),
  stats: t("My games"),
  top: t("Ratings"),
  unban: t("People"),
  undo: t("Undo my turn"),
  unmute: t("People"),
  watch: t("Watch"),
};
/** A command and what is written behind it: `/play 8H WORD`. Not a part of an address. */
const COMMAND = /(?<![\w/.:])\/([a-z]+)(?: (?:8H|[A-Z]{2,}|yes|none)(?![\w]))*(?![\w/])/g;

/** Words a text of the server for the page. */
export const forPage = (text) =>
  text.replace(COMMAND, (_, name) =>
    t("\u201c{label}\u201d", { label: LABELS[name] ?? t("Menu") }),
  );

/** Words a notice for the page; what people say stays as it is, and what is to be copied. */
export function noticeForPage(notice) {
  const isQuoted = notice.tell === "invitation" || notice.event?.kind === "said";
  if (isQuoted || notice.tell === "recalled") {
    for (const entry of notice.entries ?? []) noticeForPage(entry);
    return notice;
  }
  if (notice.plain) notice.plain = notice.plain.map(forPage);
  if (notice.text) notice.text = forPage(notice.text);
  return notice;
}
