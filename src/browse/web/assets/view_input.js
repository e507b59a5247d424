// @ts-check
// A person's mouse, wheel, fingers, keys and pasted text, as messages for the live view.

const BUTTONS = ["left", "middle", "right", "back", "forward"];
const DOUBLE_MS = 500;
const DOUBLE_PX = 6;
const LINE_PX = 40;
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Where an event is in the picture, as fractions of it.
 * @param {HTMLCanvasElement} canvas @param {{clientX: number, clientY: number}} event
 */
export const place = (canvas, { clientX, clientY }) => {
  const box = canvas.getBoundingClientRect();
  const x = (clientX - box.left - canvas.clientLeft) / canvas.clientWidth;
  const y = (clientY - box.top - canvas.clientTop) / canvas.clientHeight;
  const inside = (/** @type {number} */ it) => Math.min(1, Math.max(0, it));
  return { x: inside(x), y: inside(y) };
};

/** On a Mac, the command key does what the control key does in the page. @param {KeyboardEvent | MouseEvent} event */
const modifiers = (event) => {
  const control = event.ctrlKey || (isMac && event.metaKey);
  const meta = event.metaKey && !isMac;
  return (event.altKey ? 1 : 0) | (control ? 2 : 0) | (meta ? 4 : 0) | (event.shiftKey ? 8 : 0);
};

/**
 * @param {{canvas: HTMLCanvasElement, keys: HTMLTextAreaElement, isInControl: () => boolean,
 *   isPointing: () => boolean, send: (type: string, facts?: object) => void,
 *   part: (id: string, kind: any) => any}} view
 */
export function listenToPerson({ canvas, keys, isInControl, isPointing, send }) {
  const acts = () => isInControl() && !isPointing();
  const focus = () => keys.focus({ preventScroll: true });
  let last = { at: 0, x: 0, y: 0, clicks: 0 };

  /** @param {PointerEvent} event */
  const clicks = (event) => {
    const isSame = Math.hypot(event.clientX - last.x, event.clientY - last.y) < DOUBLE_PX;
    const isSoon = event.timeStamp - last.at < DOUBLE_MS;
    const count = isSame && isSoon ? (last.clicks % 3) + 1 : 1;
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY, clicks: count };
    return count;
  };

  /** @type {Map<number, {x: number, y: number, id: number}>} */
  const fingers = new Map();
  /** @param {string} name @param {PointerEvent} event */
  const touch = (name, event) => {
    const number = event.pointerId % 1000;
    if (name === "start" || (name === "move" && fingers.has(number)))
      fingers.set(number, { ...place(canvas, event), id: number });
    else fingers.delete(number);
    send("touch", { event: name, points: [...fingers.values()], modifiers: modifiers(event) });
  };

  /** @param {"down" | "up" | "move"} name @param {PointerEvent} event */
  const pointer = (name, event) => {
    if (!acts()) return;
    event.preventDefault();
    if (name === "down") {
      canvas.setPointerCapture(event.pointerId);
      focus();
    }
    if (event.pointerType === "touch") {
      if (name !== "move" || fingers.size) touch({ down: "start", up: "end", move: "move" }[name], event);
      return;
    }
    const button = name === "move" ? "none" : (BUTTONS[event.button] ?? "none");
    const count = name === "down" ? clicks(event) : name === "up" ? last.clicks : 0;
    send("mouse", { event: name, ...place(canvas, event), button, clicks: count, modifiers: modifiers(event) });
  };
  canvas.addEventListener("pointerdown", (event) => pointer("down", event));
  canvas.addEventListener("pointermove", (event) => pointer("move", event));
  canvas.addEventListener("pointerup", (event) => pointer("up", event));
  canvas.addEventListener("pointercancel", (event) => {
    if (acts() && event.pointerType === "touch") touch("cancel", event);
  });
  canvas.addEventListener("contextmenu", (event) => {
    if (isInControl()) event.preventDefault();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!acts()) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      send("wheel", { ...place(canvas, event), dx, dy, modifiers: modifiers(event) });
    },
    { passive: false },
  );

  /** @param {"down" | "up"} name @param {KeyboardEvent} event */
  const key = (name, event) => {
    if (!isInControl() || event.isComposing || event.keyCode === 229) return;
    if (event.key === "F6") {
      event.preventDefault();
      if (name === "down") document.getElementById("message")?.focus();
      return;
    }
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === "v") return; // the paste event brings the text
    event.preventDefault();
    const isCharacter = event.key.length === 1 && !control && !(event.altKey && !event.getModifierState("AltGraph"));
    send("key", {
      event: name,
      key: event.key.slice(0, 32),
      code: event.code,
      number: Math.min(255, event.keyCode),
      text: name === "up" ? "" : event.key === "Enter" ? "\r" : isCharacter ? event.key : "",
      repeat: event.repeat,
      location: event.location,
      modifiers: modifiers(event),
    });
  };
  keys.addEventListener("keydown", (event) => key("down", event));
  keys.addEventListener("keyup", (event) => key("up", event));
  keys.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isInControl() && text) send("text", { text: text.slice(0, 100000) });
  });
  // What an input method or the keyboard of a phone writes, which sends no keys.
  keys.addEventListener("input", (event) => {
    if (event instanceof InputEvent && event.isComposing) return;
    if (isInControl() && keys.value) send("text", { text: keys.value });
    keys.value = "";
  });
  keys.addEventListener("compositionend", () => {
    if (isInControl() && keys.value) send("text", { text: keys.value });
    keys.value = "";
  });
}
