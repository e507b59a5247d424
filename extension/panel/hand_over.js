// @ts-check
/** What the inspector hands to the agent, as text. Page words stand in it as data, on lines of their own. */

import { whereOf } from "./cascade.js";
import { short } from "./dom.js";

/** @typedef {Record<string, any>} Facts */
/** @typedef {{property: string, before: string, after: string}} Change */

const MAX_RULES = 8;

/** An element with its rules. @param {Facts} picked @param {Change[]} changes */
export const forAgent = (picked, changes) => {
  const { page } = picked;
  const rules = page.rules.filter((/** @type {any} */ it) => it.origin !== "user-agent" && it.declarations.length);
  return [
    `Look at ${picked.ref} in tab ${picked.tab}: \`browse inspect ${picked.ref}\` shows its styles.`,
    `element: ${page.tag} ${short(page.selector, 200)}`,
    `page: ${short(page.url, 200)}`,
    ...rules.slice(0, MAX_RULES).map((/** @type {any} */ it) => `rule: ${short(it.selector, 120)} (${whereOf(it)})`),
    ...changes.map(changeLine),
  ].join("\n");
};

/** What was tried in the panel, to be put into the source. @param {Facts} picked @param {Change[]} changes */
export const forCode = (picked, changes) => {
  const { page } = picked;
  return [
    `Put these style changes into the source code; they were tried on ${picked.ref} in tab ${picked.tab}.`,
    `element: ${page.tag} ${short(page.selector, 200)}`,
    `page: ${short(page.url, 200)}`,
    ...changes.map(changeLine),
    ...sources(page.rules, changes).map((it) => `source: ${it}`),
  ].join("\n");
};

/** @param {Change} it */
const changeLine = (it) => `change: ${it.property}: ${short(it.before || "(none)", 120)} → ${short(it.after, 120)}`;

/** The rules that set what was changed, with file and line. @param {any[]} rules @param {Change[]} changes */
export const sources = (rules, changes) => {
  const changed = changes.map((it) => it.property);
  /** @param {string} name */
  const concerns = (name) =>
    changed.some((it) => name === it || name.startsWith(`${it}-`) || it.startsWith(`${name}-`));
  return rules
    .filter((rule) => rule.line && rule.declarations.some((/** @type {any} */ it) => concerns(it.name)))
    .map((rule) => `${whereOf(rule)} ${short(rule.selector, 120)}`);
};
