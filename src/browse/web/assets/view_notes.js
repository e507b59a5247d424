// @ts-check
// Notes for the agent: a person points at a place in the picture, or draws a box, and writes a sentence.
import { place } from "./view_input.js";

const MIN_BOX = 0.01;

/** @typedef {{id: string, words: string, done: boolean}} LeftNote a note, and whether the agent is done with it */

/**
 * @param {{canvas: HTMLCanvasElement, stage: HTMLElement, send: (type: string, facts?: object) => void,
 *   part: (id: string, kind: any) => any, notice: (words: string, page?: string) => void}} view
 */
export function pointWithNotes({ canvas, stage, send, part, notice }) {
  const form = part("noting", HTMLFormElement);
  const words = part("words", HTMLTextAreaElement);
  const area = part("area", HTMLElement);
  const toggle = part("note", HTMLButtonElement);
  let isOn = false;
  /** @type {{x: number, y: number} | null} */
  let from = null;
  /** @type {{x?: number, y?: number, width?: number, height?: number}} */
  let pointed = {};

  const show = () => {
    const { x, y, width = 0, height = 0 } = pointed;
    area.hidden = x === undefined;
    if (x === undefined || y === undefined) return;
    const [left, top] = [canvas.offsetLeft + canvas.clientLeft, canvas.offsetTop + canvas.clientTop];
    const place = { left: left + x * canvas.clientWidth, top: top + y * canvas.clientHeight };
    area.style.left = `${place.left - (width ? 0 : 6)}px`;
    area.style.top = `${place.top - (height ? 0 : 6)}px`;
    area.style.width = `${width ? width * canvas.clientWidth : 12}px`;
    area.style.height = `${height ? height * canvas.clientHeight : 12}px`;
    part("pointed", HTMLElement).textContent = width ? "The box is marked." : "The place is marked.";
  };

  /** @param {boolean} on */
  const turn = (on) => {
    isOn = on;
    form.hidden = !on;
    pointed = {};
    area.hidden = true;
    stage.classList.toggle("pointing", on);
    toggle.setAttribute("aria-pressed", String(on));
    part("pointed", HTMLElement).textContent = "Click the page, or draw a box on it, to point at something.";
    if (on) words.focus();
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (!isOn) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    from = place(canvas, event);
    pointed = { ...from };
    show();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!isOn || !from) return;
    const to = place(canvas, event);
    const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    const isBox = width > MIN_BOX && height > MIN_BOX;
    pointed = isBox ? { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width, height } : { ...from };
    show();
  });
  canvas.addEventListener("pointerup", () => {
    from = null;
    if (isOn) words.focus();
  });
  toggle.addEventListener("click", () => turn(!isOn));
  part("unnote", HTMLButtonElement).addEventListener("click", () => turn(false));
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    send("note", { message: words.value, ...pointed });
    words.value = "";
    turn(false);
  });
  /** @type {Map<string, boolean>} the notes of this page, and whether it has said that they are done */
  const own = new Map();
  let shown = "";
  const list = part("left", HTMLUListElement);
  /** @param {LeftNote} note */
  const entry = (note) => {
    const item = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = note.done ? "badge" : "badge plain";
    mark.textContent = note.done ? "done" : "open";
    item.append(mark, " ", note.words);
    return item;
  };
  /** @type {LeftNote[]} */
  let last = [];
  const tell = () => {
    for (const { id, words, done } of last) {
      if (!done || own.get(id) !== false) continue;
      own.set(id, true);
      notice("The agent is done with your note:", words);
    }
  };
  return {
    isPointing: () => isOn,
    /** A note of this page has reached the agent's inbox. @param {string} id */
    left(id) {
      own.set(id, false);
      tell();
    },
    /** @param {LeftNote[]} notes */
    show(notes) {
      last = notes;
      tell();
      list.hidden = !notes.length;
      const now = JSON.stringify(notes);
      if (now !== shown) list.replaceChildren(...notes.map(entry));
      shown = now;
    },
  };
}
