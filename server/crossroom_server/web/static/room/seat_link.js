// How a seat gets to another device: a link that is good once, with its QR code, or the seat's code.

import { openDialog } from "../core/dialogs.js";
import { el } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { addressField } from "./invitation.js";

const SQUARE = 4; // pixels
const BORDER = 4; // squares

/** Shows the *link*, unless it could not be had, and the *code*. */
export function showSeatWays(link, code) {
  const how = t("There, open this room and choose \u201cCome back to my seat\u201d in the menu. The code:");
  return openDialog(t("Play on another device"), () => [
    ...(link ? linkParts(link) : []),
    el("div.lines", el("p", how), el("p", code)),
  ]);
}

function linkParts({ page, squares }) {
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const elsewhere = t("This address opens on this machine alone; open the page by its network address first.");
  return [
    el("p", t("This link brings your seat there, once, within ten minutes. Show it to nobody else.")),
    addressField(page, t("Link to your seat")),
    isHere ? el("p", elsewhere) : drawCode(squares, page),
  ];
}

/** Draws a QR code from rows of 0 and 1, where 1 is dark. */
function drawCode(squares, page) {
  const size = (squares.length + 2 * BORDER) * SQUARE;
  const label = t("QR code of {address}", { address: page });
  const canvas = el("canvas.qr", { width: size, height: size, role: "img", "aria-label": label });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = "black";
  squares.forEach((row, y) =>
    [...row].forEach((bit, x) => {
      if (bit === "1") pen.fillRect((x + BORDER) * SQUARE, (y + BORDER) * SQUARE, SQUARE, SQUARE);
    }),
  );
  return canvas;
}
