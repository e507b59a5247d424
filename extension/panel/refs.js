// @ts-check
/** The pane with the refs that the agent knows on the shown page, and boxes around them on the page. */

import { el, said } from "./dom.js";
import { ask, onShown, shownDocument } from "./this_tab.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */

/** @param {HTMLElement} root @param {Daemon} daemon @param {() => boolean} isShown */
export const mountRefs = (root, daemon, isShown) => {
  const note = el("p", { class: "quiet", role: "status" });
  const list = el("ul", { class: "refs", "aria-label": "Refs of this page" });
  const overlay = el("input", { type: "checkbox", id: "overlays" });
  root.append(el("p", {}, overlay, el("label", { for: "overlays" }, " Show them on the page")), note, list);
  let stale = true;

  const refresh = async () => {
    stale = true;
    if (!isShown() || daemon.state !== "connected") return;
    stale = false;
    try {
      const found = await daemon.request(
        "GET",
        `/refs?document=${await shownDocument()}&boxes=${overlay.checked ? 1 : 0}`,
      );
      show(found.page.refs);
    } catch (error) {
      list.replaceChildren();
      note.textContent = said(error);
    }
  };

  /** @param {{ref: string, role: string, name: string, box?: number[]}[]} refs */
  const show = (refs) => {
    note.textContent = refs.length ? `${refs.length} refs on this page` : "The agent has not looked at this page yet.";
    list.replaceChildren(
      ...refs.map(({ ref, role, name }) => el("li", {}, el("code", {}, ref), ` ${role} `, el("q", {}, name))),
    );
    if (overlay.checked) void ask({ type: "show-overlays", boxes: refs.filter((it) => it.box) });
  };

  overlay.addEventListener("change", async () => {
    if (!overlay.checked) await ask({ type: "hide-overlays" });
    await refresh();
  });
  daemon.addEventListener("activity", (event) => {
    const { type } = /** @type {CustomEvent} */ (event).detail;
    if (type === "command_end") void refresh();
  });
  onShown(() => void refresh());
  return { connected: refresh, shown: () => (stale ? refresh() : undefined) };
};
