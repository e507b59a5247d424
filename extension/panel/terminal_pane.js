// @ts-check
/** The pane with the terminal. Its code may be missing: it needs files that are fetched when the wheel is built. */

import { el } from "./dom.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */
/** A module that exports `mountTerminal(root, daemon)`, which returns a `Terminal`. @type {string} */
const CODE = "./terminal/terminal.js";

/** @typedef {{inject?: (text: string) => Promise<boolean>, restart?: () => Promise<void>}} Terminal */

/** @param {HTMLElement} root @param {Daemon} daemon */
export const mountTerminalPane = (root, daemon) => {
  /** @type {Terminal | null} */
  let terminal = null;
  /** @type {(canRestart: boolean) => void} */
  let tell = () => {};

  const load = async () => {
    try {
      const { mountTerminal } = await import(CODE);
      terminal = (await mountTerminal(root, daemon)) ?? {};
      tell(Boolean(terminal?.restart));
    } catch (error) {
      console.warn("the terminal could not be loaded", error);
      root.replaceChildren(
        el("p", {}, "The terminal is not installed."),
        el("p", { class: "quiet" }, "The other panes work without it: press More."),
      );
    }
  };
  void load();

  return {
    /** Type a text into the terminal, after it was scanned; false if there is none, or it was refused. @param {string} text */
    inject: async (text) => (terminal?.inject ? terminal.inject(text) : false),
    restart: async () => terminal?.restart?.(),
    /** @param {(canRestart: boolean) => void} callback */
    onReady: (callback) => {
      tell = callback;
      if (terminal) callback(Boolean(terminal.restart));
    },
  };
};
