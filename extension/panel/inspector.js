// @ts-check
/** The pane with the styles of an element that the person picks, and quick edits that can be undone. */

import { boxModel } from "./box_model.js";
import { cascade, computedTable } from "./cascade.js";
import { el, redraw, said, short } from "./dom.js";
import { forAgent, forCode } from "./hand_over.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */
/** @typedef {Record<string, any>} Facts */
/** @typedef {{property: string, before: string, after: string}} Change */

const QUICK = ["color", "background-color", "font-size", "padding", "margin", "border", "display", "opacity"];

/**
 * @param {HTMLElement} root @param {Daemon} daemon @param {import("./picking.js").Picking} picking
 * @param {(text: string, note: object) => Promise<string>} deliver
 */
export const mountInspector = (root, daemon, picking, deliver) => {
  /** @type {Facts | null} */
  let picked = null;
  /** @type {Change[]} */
  let changes = [];
  const status = el("p", { class: "quiet", role: "status" }, "Pick an element to see its styles.");
  const pick = el("button", { type: "button", class: "main", id: "pick" }, "Pick an element");
  const body = el("div");
  root.append(el("div", { class: "row" }, pick), status, body);

  /** @param {() => Promise<void>} act */
  const trying = async (act) => {
    try {
      await act();
    } catch (error) {
      status.textContent = said(error);
    }
  };

  pick.addEventListener("click", () =>
    trying(async () => {
      status.textContent = "Click an element on the page. Escape ends it.";
      const chosen = await picking.pick("inspect");
      if (!chosen?.at) {
        status.textContent = "Nothing was picked.";
        return;
      }
      show(await daemon.request("POST", "/inspector/pick", { document: chosen.document, at: chosen.at }));
    }),
  );

  /** @param {Facts} facts */
  const show = (facts) => {
    picked = facts;
    changes = [];
    draw();
  };

  const draw = () => {
    if (!picked) return;
    const { page } = picked;
    const id = page.attributes.id ? `#${page.attributes.id}` : "";
    status.textContent = `${page.tag}${id} ${picked.ref}`;
    body.replaceChildren(
      el("p", {}, el("code", {}, short(page.selector, 200))),
      el("h2", {}, "Box model"),
      boxModel(page.box),
      el("h2", {}, "Quick edit"),
      quickEdit(),
      sendRow(),
      el("h2", {}, "Rules"),
      cascade(page.rules),
      el("h2", {}, "Computed"),
      computedTable(page.computed),
    );
  };

  /** @param {string} [changed] the property that was set */
  const again = async (changed) => {
    if (!picked) return;
    const { tab, ref, page } = picked;
    picked = await daemon.request("POST", "/inspector/pick", { tabId: tab, target: ref });
    picked.page.selector = page.selector;
    redraw(draw, `edit-${changed}`);
  };

  /** @param {string} property @param {string} value */
  const apply = (property, value) =>
    trying(async () => {
      if (!picked) return;
      const done = await daemon.request("POST", "/inspector/apply", {
        tabId: picked.tab, target: picked.ref, property, value,
      }); // biome-ignore format: one request
      changes.push({ property, before: done.page.before, after: done.page.after });
      await again(property);
      status.textContent = `Changed ${property}.`;
    });

  const undo = (count = 1) =>
    trying(async () => {
      if (!picked || !changes.length) return;
      await daemon.request("POST", "/inspector/reset", { tabId: picked.tab, count });
      changes.splice(-count);
      await again();
      status.textContent = count === 1 ? "Undone." : "All changes are undone.";
    });

  const quickEdit = () => {
    const { computed } = /** @type {Facts} */ (picked).page;
    const rows = QUICK.map((name) => {
      const input = el("input", { id: `edit-${name}`, value: writtenAs(computed, name), autocomplete: "off" });
      input.addEventListener("change", () => apply(name, input.value));
      return el("div", { class: "edit" }, el("label", { for: `edit-${name}` }, name), input);
    });
    return el(
      "div",
      {},
      ...rows,
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", id: "undo", disabled: !changes.length, click: () => undo() }, "Undo"),
        el("button", { type: "button", disabled: !changes.length, click: () => undo(changes.length) }, "Undo all"),
      ),
      changes.length
        ? el("ul", { class: "changes", "aria-label": "Changes" }, ...changes.map((it) => el("li", {}, words(it))))
        : null,
    );
  };

  const sendRow = () => {
    /** @param {(picked: Facts, changes: Change[]) => string} compose */
    const send = (compose) => () =>
      trying(async () => {
        if (!picked) return;
        const note = { tabId: picked.tab, at: middle(picked.page.box) };
        status.textContent = await deliver(compose(picked, changes), note);
      });
    return el(
      "div",
      { class: "row" },
      el("button", { type: "button", click: send(forAgent) }, "Send to agent"),
      el("button", { type: "button", disabled: !changes.length, click: send(forCode) }, "Send to code"),
    );
  };

  return {};
};

/** @param {Change} change */
const words = ({ property, before, after }) => `${property}: ${before || "(none)"} → ${after}`;

/** A shorthand out of its longhands, where they agree. @param {Record<string, string>} computed @param {string} name */
const writtenAs = (computed, name) => {
  if (computed[name]) return computed[name];
  const sides = ["top", "right", "bottom", "left"].map((side) =>
    name === "border"
      ? `${computed[`border-${side}-width`]} ${computed[`border-${side}-style`]} ${computed[`border-${side}-color`]}`
      : computed[`${name}-${side}`],
  );
  return new Set(sides).size === 1 ? sides[0] : sides.join(" ");
};

/** The middle of an element in the window. @param {Record<string, number[]>} box */
const middle = (box) => {
  const [x, y, width, height] = box.border ?? [0, 0, 0, 0];
  return [x + width / 2, y + height / 2];
};
