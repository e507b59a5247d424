// @ts-check
// Recent activity: commands that run now, then what has happened, the newest first.
import { el } from "./dom.js";

const SHOWN = 60;
const OWN = new Set(["activity"]);
const COMMON = new Set(["id", "timestamp", "type", "clientId"]);

/** @typedef {Record<string, any>} Event */

export class Feed {
  /** @param {Element} list */
  constructor(list) {
    this.list = list;
    this.last = 0;
    /** @type {{ event: Event, node: HTMLElement }[]} */
    this.running = [];
    list.append(el("li", "muted none", "Nothing yet."));
  }

  /** @param {Event} event */
  add(event) {
    if (event.type === "gap") {
      this.put(el("li", "muted", `${event.availableFrom - event.gapFrom} events were missed.`));
      return;
    }
    if (event.id <= this.last) return;
    this.last = event.id;
    if (OWN.has(event.command)) return;
    if (event.type === "command_start") {
      const node = row(event);
      this.running.push({ event, node });
      this.put(node);
      return;
    }
    if (event.type === "command_end" || event.type === "error") this.end(event);
    this.put(row(event));
  }

  /**
   * Take away the row of a command that has ended; its end has a row of its own.
   * @param {Event} event
   */
  end(event) {
    const at = this.running.findIndex(
      ({ event: begun }) =>
        begun.clientId === event.clientId && begun.command === event.command && begun.args === event.args,
    );
    if (at >= 0) this.running.splice(at, 1)[0].node.remove();
  }

  /** @param {HTMLElement} node */
  put(node) {
    this.list.querySelector(".none")?.remove();
    this.list.prepend(node);
    while (this.list.children.length > SHOWN) this.list.lastElementChild?.remove();
  }
}

/** @param {Event} event */
function row(event) {
  const time = el("time", "muted", new Date(event.timestamp).toLocaleTimeString([], { hour12: false }));
  time.setAttribute("datetime", event.timestamp);
  const who = el("span", "who", event.clientId === "root" ? "" : event.clientId);
  const [name, words, after] = parts(event);
  const line = el("div", "line", time, who, el("code", "", words));
  if (after) line.append(el("span", "muted", after));
  const made = el("li", name, line);
  if (event.error) made.append(el("p", "problem", event.error));
  if (event.type === "message") made.append(el("blockquote", "", event.page?.message ?? ""));
  return made;
}

/**
 * @param {Event} event
 * @returns {[string, string, string]} its class, its words, and what follows
 */
function parts(event) {
  const words = [event.command, event.args].filter(Boolean).join(" ");
  if (event.type === "command_start") return ["running", words, "runs"];
  if (event.type === "command_end") return ["ended", words, `${event.duration} ms`];
  if (event.type === "error") return ["failed", words, event.status === "cancelled" ? "cancelled" : "failed"];
  if (event.type === "message") return ["message", "message", ""];
  if (event.type === "step") return ["step", `step ${event.step}`, `${event.state}: ${event.words}`];
  if (event.type === "security") return ["failed", "security", event.what];
  const more = Object.entries(event).filter(([key, value]) => !COMMON.has(key) && value);
  return ["other", event.type, more.map(([key, value]) => `${key}: ${value}`).join(", ")];
}
