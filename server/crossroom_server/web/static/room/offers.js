// An open offer: what another player asks for, or what we asked for.

import { button, buttonRow, el, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";

const ASKED = {
  undo: t("take the latest turn back"),
  adjourn: t("stop here and play on another time"),
  abort: t("end the game without a result"),
};

export class OfferPanel {
  /** *send(command)* sends a command and shows a refusal. */
  constructor(state, send) {
    this.state = state;
    this.send = send;
    this.root = el("div.offer.panel", { role: "region", "aria-label": t("An offer") });
  }

  draw() {
    const { name, offer } = this.state.view;
    setAttribute(this.root, "hidden", !offer);
    const key = offer ? `${offer.what} ${offer.name} ${offer.waiting}` : "";
    if (this.root.dataset.key === key) return;
    this.root.dataset.key = key;
    if (!offer) return this.root.replaceChildren();
    const isOwn = offer.name === name;
    const isAsked = offer.waiting.includes(name);
    const [what, names] = [ASKED[offer.what], offer.waiting.join(", ")];
    const decline = () => this.send({ do: "decline" });
    const agree = () => this.send({ do: "agree" });
    const text = isOwn
      ? t("You ask to {what}. Waiting for {names}.", { what, names })
      : t("{name} asks to {what}.", { name: offer.name, what });
    this.root.replaceChildren(
      el("p", text),
      buttonRow(
        isOwn && button(t("Take it back"), decline),
        isAsked && button(t("Decline"), decline),
        isAsked && button(t("Agree"), agree, { class: "main" }),
      ),
    );
  }
}
