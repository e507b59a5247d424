// @ts-check
/** The rules of an element, the strongest first, and its computed values. */

import { el, short } from "./dom.js";

/** @typedef {{name: string, value: string, important: boolean, overridden: boolean}} Declaration */
/** @typedef {{selector: string, origin: string, source: string, line: number, specificity: number[],
 *   conditions: string[], declarations: Declaration[]}} Rule */

/** Where a rule stands: the file's name and the line. @param {Rule} rule */
export const whereOf = ({ source, line }) => (line ? `${source}:${line}` : source);

/** @param {Rule[]} rules */
export const cascade = (rules) => {
  const [own, browsers] = [
    rules.filter((it) => it.origin !== "user-agent"),
    rules.filter((it) => it.origin === "user-agent"),
  ];
  const shown = own.filter((it) => it.declarations.length);
  return el(
    "div",
    { class: "rules" },
    ...(shown.length ? shown.map(ruleOf) : [el("p", { class: "quiet" }, "No rule of the page applies.")]),
    el("details", {}, el("summary", {}, `Rules of the browser (${browsers.length})`), ...browsers.map(ruleOf)),
  );
};

/** @param {Rule} rule */
const ruleOf = (rule) =>
  el(
    "div",
    { class: "rule" },
    el("code", { class: "selector" }, short(rule.selector, 200)),
    el(
      "span",
      { class: "weight", title: "Specificity" },
      rule.origin === "inline" ? "" : `(${rule.specificity.join(",")})`,
    ),
    ...rule.conditions.map((it) => el("span", { class: "quiet" }, short(it, 100))),
    el("ul", {}, ...rule.declarations.map(declarationOf)),
    rule.source ? el("span", { class: "source", title: whereOf(rule) }, short(whereOf(rule), 120)) : null,
  );

/** @param {Declaration} it */
const declarationOf = (it) => {
  const text = `${it.name}: ${short(it.value, 200)}${it.important ? " !important" : ""}`;
  return el("li", {}, it.overridden ? el("s", {}, text, el("span", { class: "unseen" }, " (overridden)")) : text);
};

/** @param {Record<string, string>} computed */
export const computedTable = (computed) => {
  const rows = Object.entries(computed).filter(
    ([, value]) => value && !["none", "normal", "auto", "0px"].includes(value),
  );
  const body = el(
    "tbody",
    {},
    ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, short(value, 120)))),
  );
  return el("details", {}, el("summary", {}, `${rows.length} values`), el("table", {}, body));
};
