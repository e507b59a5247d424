// @ts-check
// The tabs as cards with small pictures. Pictures are asked for one by one, and only of cards that
// can be seen: when something happened in a tab, and from time to time.
import { button, byId, el, keyed, say } from "./dom.js";

const BETWEEN_MS = 500;
const AGAIN_MS = 10_000;

/** @typedef {import("./session.js").Session} Session */

export class TabCards {
  /**
   * @param {Session} session
   * @param {(tab: any) => void} close
   */
  constructor(session, close) {
    this.session = session;
    this.close = close;
    this.list = byId("tabs");
    /** @type {Map<number, { picture: HTMLImageElement, hash: string, url: string, seen: boolean }>} */
    this.cards = new Map();
    /** @type {Set<number>} */
    this.wanted = new Set();
    this.asking = false;
    this.watcher = new IntersectionObserver((entries) => this.look(entries));
    setInterval(() => this.refresh(), AGAIN_MS);
  }

  /**
   * @param {any[]} tabs
   * @param {any[]} handoffs
   */
  show(tabs, handoffs) {
    const held = new Map(handoffs.flatMap((it) => it.tabs.map((/** @type {number} */ id) => [id, it.since])));
    keyed(
      this.list,
      tabs.map((tab) => ({ ...tab, person: held.get(tab.id) })),
      (tab) => String(tab.id),
      (tab) => this.make(tab),
      "No tab is open.",
    );
    const open = new Set(tabs.map((tab) => tab.id));
    for (const [id, card] of this.cards) {
      if (open.has(id)) continue;
      URL.revokeObjectURL(card.picture.src);
      this.cards.delete(id);
    }
  }

  /** @param {any} first */
  make(first) {
    let tab = first;
    const picture = /** @type {HTMLImageElement} */ (el("img"));
    picture.alt = "";
    picture.hidden = true;
    const title = el("h3");
    const url = el("p", "muted mono url");
    const badges = el("p", "badges");
    const closing = button("Close", "danger", () => this.close(tab));
    const frame = el("div", "frame", picture);
    const node = el("li", "card tab", frame, el("div", "about", title, url, el("div", "foot", badges, closing)));
    node.dataset.tab = tab.id;
    this.cards.set(tab.id, { picture, hash: "", url: "", seen: false });
    this.watcher.observe(node);
    /** @param {any} row */
    const fill = (row) => {
      tab = row;
      const name = row.page.title || (row.page.url === "about:blank" ? "Blank tab" : "Untitled");
      say(title, `${row.id} · ${name}`);
      say(url, row.page.url);
      url.title = row.page.url;
      closing.setAttribute("aria-label", `Close tab ${row.id}`);
      /** @type {HTMLButtonElement} */ (closing).disabled = Boolean(row.person);
      closing.title = row.person ? "A person has this tab. It can be closed when they have given it back." : "";
      keyed(badges, facts(row), ([text]) => text, badge);
      this.moved(row);
    };
    return { node, fill };
  }

  /**
   * Ask for a new picture of a tab that shows another address.
   * @param {any} tab
   */
  moved(tab) {
    const card = this.cards.get(tab.id);
    if (!card || card.url === tab.page.url) return;
    card.url = tab.page.url;
    this.want(tab.id);
  }

  /** @param {number} id */
  want(id) {
    this.wanted.add(id);
    this.ask();
  }

  /** Ask for new pictures of all cards that can be seen. */
  refresh() {
    for (const id of this.cards.keys()) this.wanted.add(id);
    this.ask();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  look(entries) {
    for (const entry of entries) {
      const id = Number(/** @type {HTMLElement} */ (entry.target).dataset.tab);
      const card = this.cards.get(id);
      if (card) card.seen = entry.isIntersecting;
    }
    this.ask();
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    try {
      for (let id = this.next(); id && !document.hidden; id = this.next()) {
        this.wanted.delete(id);
        await this.fetch(id);
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
      }
    } catch {
      // The daemon does not answer: the page says so elsewhere.
    } finally {
      this.asking = false;
    }
  }

  next() {
    return [...this.wanted].find((id) => this.cards.get(id)?.seen);
  }

  /** @param {number} id */
  async fetch(id) {
    const card = this.cards.get(id);
    if (!card) return;
    const answer = await this.session.call(`/dashboard/picture/${id}?known=${card.hash}`);
    if (answer.status === 204) return;
    const before = card.picture.src;
    card.hash = (answer.headers.get("etag") ?? "").replaceAll('"', "");
    card.picture.src = URL.createObjectURL(await answer.blob());
    card.picture.hidden = false;
    if (before) URL.revokeObjectURL(before);
  }
}

/**
 * @param {any} tab
 * @returns {[string, string][]} the words of each badge, and its class
 */
function facts(tab) {
  /** @type {[string, string][]} */
  const found = tab.heldBy.map((/** @type {string} */ name) => [name === "root" ? "your tab" : name, ""]);
  if (tab.owner && !tab.heldBy.includes(tab.owner)) found.unshift([tab.owner, ""]);
  if (tab.person) found.unshift([`person since ${clock(tab.person)}`, "person"]);
  if (tab.session) found.push([`session ${tab.session}`, "plain"]);
  if (tab.busy) found.push([`runs ${tab.busy.replaceAll("`", "")}`, "plain busy"]);
  if (tab.crashed) found.push([tab.flooded ? "closed: it flooded the browser" : "crashed", "bad"]);
  return found;
}

/** @param {string} at */
function clock(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** @param {[string, string]} row */
function badge([text, name]) {
  return { node: el("span", `badge ${name}`, text), fill: () => {} };
}
