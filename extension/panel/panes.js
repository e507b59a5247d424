// @ts-check
/** The panes and their tabs, by mouse and by keyboard. */

import { el } from "./dom.js";

const KEY = "panel";

export class Panes {
  /** @type {Map<string, {tab: HTMLButtonElement, pane: HTMLElement, more: boolean}>} */
  #all = new Map();
  #shown = "";
  #more = false;
  /** @type {(name: string) => void} */
  #tell = () => {};

  /** @param {HTMLElement} tabs @param {HTMLElement} panes @param {HTMLButtonElement} button */
  constructor(tabs, panes, button) {
    this.tabs = tabs;
    this.panes = panes;
    this.button = button;
    tabs.addEventListener("keydown", (event) => this.#move(event));
    button.addEventListener("click", () => this.#reveal(!this.#more));
    void chrome.storage.local.get(KEY).then((kept) => {
      if (kept[KEY]?.more) this.#reveal(true);
      if (this.#all.has(kept[KEY]?.shown)) this.show(kept[KEY].shown);
    });
  }

  /** @param {string} name @param {string} title @param {{more?: boolean}} [about] @returns {HTMLElement} */
  add(name, title, { more = false } = {}) {
    const tab = el(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}` },
      title,
    );
    const pane = el("section", {
      role: "tabpanel",
      id: `pane-${name}`,
      "aria-labelledby": `tab-${name}`,
      tabindex: 0,
    });
    tab.addEventListener("click", () => this.show(name));
    tab.hidden = more;
    this.tabs.append(tab);
    this.panes.append(pane);
    this.#all.set(name, { tab, pane, more });
    if (this.#shown) this.#draw();
    else this.show(name);
    return pane;
  }

  /** @param {(name: string) => void} tell */
  onShow(tell) {
    this.#tell = tell;
  }

  /** @param {string} name */
  shows(name) {
    return this.#shown === name;
  }

  /** @param {string} name */
  show(name) {
    this.#shown = name;
    this.#draw();
    this.#keep();
    this.#tell(name);
  }

  #draw() {
    for (const [name, { tab, pane, more }] of this.#all) {
      const isShown = name === this.#shown;
      pane.hidden = !isShown;
      tab.hidden = more && !this.#more;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }

  /** @param {boolean} more */
  #reveal(more) {
    this.#more = more;
    this.button.setAttribute("aria-pressed", String(more));
    if (!more && this.#all.get(this.#shown)?.more) this.show([...this.#all.keys()][0]);
    this.#draw();
    this.#keep();
  }

  #keep() {
    void chrome.storage.local.set({ [KEY]: { shown: this.#shown, more: this.#more } });
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const names = [...this.#all].filter(([, it]) => !it.tab.hidden).map(([name]) => name);
    const at = names.indexOf(this.#shown);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const name = names[(to + names.length) % names.length];
    this.show(name);
    this.#all.get(name)?.tab.focus();
  }
}
