// @ts-check
// Messages above a page of ours.
import { el } from "./dom.js";
import { Refused } from "./session.js";

/**
 * Show a message in its place, or take it away. Words between backticks are commands.
 * @param {HTMLElement} place
 * @param {string} words
 * @param {string} [name]
 */
export function banner(place, words, name = "") {
  place.hidden = !words;
  place.className = `banner ${name}`;
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(...words.split("`").map((part, at) => (at % 2 ? el("code", "", part) : part)));
}

/** @param {unknown} problem */
export function explained(problem) {
  if (problem instanceof Refused) return [problem.message, problem.hint].filter(Boolean).join(" ");
  return "The daemon does not answer.";
}
