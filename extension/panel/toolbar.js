// @ts-check
/** The buttons above the panes, for the page that is shown. */

import { byId, el, said } from "./dom.js";
import { shownDocument } from "./this_tab.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */

/** @param {Daemon} daemon @param {ReturnType<typeof import("./terminal_pane.js").mountTerminalPane>} terminal */
export const mountToolbar = (daemon, terminal) => {
  const toast = byId("toast");

  /** @param {...(Node | string)} words */
  const tell = (...words) => {
    toast.replaceChildren(...words, el("button", { type: "button", click: () => (toast.hidden = true) }, "Close"));
    toast.hidden = false;
  };

  /** @param {unknown} error */
  const fail = (error) => tell(el("p", { class: "problem" }, said(error)));

  /** The daemon's number of the shown tab. */
  const tabHere = async () => {
    const found = await daemon.request("GET", `/refs?document=${await shownDocument()}&count=1`);
    return Number(found.tab);
  };

  /** @param {string} id @param {() => Promise<void>} act */
  const on = (id, act) => {
    const button = /** @type {HTMLButtonElement} */ (byId(id));
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await act();
      } catch (error) {
        fail(error);
      } finally {
        button.disabled = false;
      }
    });
  };

  on("cleanup", async () => {
    const done = await daemon.command("cleanup", ["--all"], await tabHere());
    const parts = Object.entries(done.found ?? {}).filter(([, count]) => count);
    const words = parts.map(([name, count]) => `${name}: ${count}`).join(", ");
    tell(el("p", {}, words ? `Hidden on this page: ${words}` : "There was nothing to hide."));
  });

  on("screenshot", async () => {
    const done = await daemon.command("screenshot", ["--viewport"], await tabHere());
    const picture = URL.createObjectURL(await daemon.file(done.path));
    const image = el("img", { src: picture, alt: "The screenshot", load: () => URL.revokeObjectURL(picture) });
    tell(el("p", {}, "Saved: ", el("code", {}, done.path)), image);
  });

  on("cookies", async () => {
    const tab = await tabHere();
    const { url } = (await daemon.command("url", [], tab)).page;
    /** @type {{name: string, domain: string}[]} */
    const found = (await daemon.command("cookies", ["--url", url], tab)).page.cookies;
    const remove = async () => {
      await daemon.command("cookies", ["--url", url, "--clear"], tab);
      tell(el("p", {}, `${counted(found.length)} deleted.`));
    };
    tell(
      el("p", {}, found.length ? `${counted(found.length)} of this page:` : "This page has no cookies."),
      el("ul", {}, ...found.map(({ name, domain }) => el("li", {}, el("code", {}, name), ` ${domain}`))),
      ...(found.length ? [el("button", { type: "button", click: () => remove().catch(fail) }, "Delete them")] : []),
    );
  });

  on("restart", () => terminal.restart());
  terminal.onReady((can) => (byId("restart").hidden = !can));
};

/** @param {number} count */
const counted = (count) => `${count} ${count === 1 ? "cookie" : "cookies"}`;
