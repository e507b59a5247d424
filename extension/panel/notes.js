// @ts-check
/** The pane in which the person writes to the agent about an element, an area or the page, and sees what is done. */

import { pickedBy } from "../shared/gate.js";
import { el, said, short } from "./dom.js";
import { ask, shownDocument } from "./this_tab.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */
/** @typedef {NonNullable<ReturnType<typeof pickedBy>>} Picked */

/** @param {HTMLElement} root @param {Daemon} daemon @param {import("./picking.js").Picking} picking */
export const mountNotes = (root, daemon, picking) => {
  /** @type {Picked | null} */
  let target = null;
  const words = el("textarea", { id: "note", rows: 3, maxlength: 4000, required: true });
  const about = el("span", { class: "quiet", role: "status" }, "About the whole page.");
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const send = el("button", { type: "submit", class: "main" }, "Leave note");
  const point = el("button", { type: "button" }, "Point at something");
  const form = el(
    "form",
    {},
    el("label", { for: "note" }, "A note for your agent"),
    words,
    el("div", { class: "row" }, point, send),
    about,
    problem,
  );
  const list = el("ul", { class: "notes", "aria-label": "Notes, the newest first" });
  root.append(form, list);

  point.addEventListener("click", async () => {
    about.textContent = "Click an element on the page, or drag over an area.";
    target = await picking.pick("note");
    about.textContent = target?.at
      ? "About the element that you chose."
      : target
        ? "About the area that you chose."
        : "About the whole page.";
    words.focus();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    send.disabled = true;
    try {
      const document = target?.document ?? (await shownDocument());
      const where = target?.at ? { at: target.at } : target?.area ? { area: target.area } : {};
      await daemon.request("POST", "/inbox", { message: words.value, document, ...where });
      words.value = "";
      target = null;
      about.textContent = "Left. The agent reads it with `browse inbox`.";
    } catch (error) {
      problem.textContent = said(error);
      problem.hidden = false;
    } finally {
      send.disabled = false;
    }
  });

  const refresh = async () => {
    const { messages } = await daemon.request("GET", "/inbox");
    list.replaceChildren(...messages.map(entry));
  };

  daemon.addEventListener("activity", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.type === "inbox") void refresh();
  });
  return { connected: refresh, left: () => ask({ type: "stop-picker" }) };
};

/** @param {Record<string, any>} message */
const entry = (message) => {
  const { page } = message;
  const where = page.role
    ? `${page.role} ${page.name ? `“${short(page.name, 60)}”` : ""}`
    : message.area
      ? "an area"
      : "the page";
  return el(
    "li",
    { class: message.done ? "done" : "open" },
    el("p", {}, page.message),
    el("span", { class: "quiet" }, `${message.done ? "Done" : "Open"} · ${where} · ${short(page.url, 60)}`),
  );
};
