// @ts-check
/** The diagram of an element's boxes. */

import { el } from "./dom.js";

/** @typedef {Record<string, number[]>} Boxes x, y, width and height of each box */

/**
 * How much each side of the outer box adds to the inner one: top, right, bottom, left.
 * @param {number[]} outer @param {number[]} inner
 */
export const edges = (outer, inner) =>
  [
    inner[1] - outer[1],
    outer[0] + outer[2] - inner[0] - inner[2],
    outer[1] + outer[3] - inner[1] - inner[3],
    inner[0] - outer[0],
  ].map(rounded);

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/** @param {Boxes} boxes */
export const boxModel = (boxes) => {
  if (!boxes.content) return el("p", { class: "quiet" }, "It has no box on the page.");
  const [, , width, height] = boxes.content;
  let drawn = el("div", { class: "content" }, `${rounded(width)} × ${rounded(height)}`);
  const said = [`content ${rounded(width)} by ${rounded(height)}`];
  for (const [outer, inner] of [
    ["padding", "content"],
    ["border", "padding"],
    ["margin", "border"],
  ]) {
    const [top, right, bottom, left] = edges(boxes[outer], boxes[inner]);
    said.push(`${outer} ${top} ${right} ${bottom} ${left}`);
    drawn = el(
      "div",
      { class: outer },
      el("span", { class: "name" }, outer),
      el("span", { class: "top" }, top),
      el("div", { class: "middle" }, el("span", {}, left), drawn, el("span", {}, right)),
      el("span", { class: "bottom" }, bottom),
    );
  }
  return el("div", { class: "boxes", role: "img", "aria-label": said.join(", ") }, drawn);
};
