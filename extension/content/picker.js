// @ts-check
/**
 * The element picker: what is under the pointer is outlined, a click chooses it, dragging chooses an area, Escape ends
 * it. It tells only where the click was: what lies there the daemon finds out by itself.
 */
(() => {
  const page = /** @type {BrowsePage} */ (Reflect.get(globalThis, "browsePage"));
  const MIN_AREA_PX = 8;
  const SWALLOWED = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
    "touchstart", "touchend"]; // biome-ignore format: one list

  /** @type {{purpose: string, sheet: HTMLElement, aim: HTMLElement, tag: HTMLElement,
   *   from: [number, number] | null, area: HTMLElement} | null} */
  let running = null;

  /** The page's element under a point: what we draw takes no part. @param {number} x @param {number} y */
  const under = (x, y) =>
    document.elementsFromPoint(x, y).find((it) => it.localName !== "browse-layer") || document.documentElement;

  /** @param {Element} element */
  const title = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const id = element.id ? `#${element.id}` : "";
    return `${element.localName}${id}  ${Math.round(width)} × ${Math.round(height)}`;
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!running || !event.isTrusted) return;
    const { clientX: x, clientY: y } = event;
    if (running.from) {
      const [left, top] = [Math.min(x, running.from[0]), Math.min(y, running.from[1])];
      page.place(running.area, left, top, Math.abs(x - running.from[0]), Math.abs(y - running.from[1]));
      if (running.purpose === "note") {
        running.area.hidden = false;
        running.aim.hidden = running.tag.hidden = true;
      }
      return;
    }
    const element = under(x, y);
    const box = element.getBoundingClientRect();
    page.place(running.aim, box.left, box.top, box.width, box.height);
    running.tag.textContent = title(element);
    Object.assign(running.tag.style, {
      left: `${Math.max(4, Math.min(box.left, innerWidth - 200))}px`,
      top: `${box.bottom + 24 < innerHeight ? box.bottom + 4 : Math.max(4, box.top - 24)}px`,
    });
  };

  /** @param {Event} raw */
  const press = (raw) => {
    if (!running) return;
    raw.preventDefault();
    raw.stopImmediatePropagation();
    const event = /** @type {PointerEvent} */ (raw);
    if (!event.isTrusted || event.button !== 0) return;
    if (event.type === "pointerdown") running.from = [event.clientX, event.clientY];
    if (event.type === "click") choose(event.clientX, event.clientY);
  };

  /** @param {number} x @param {number} y */
  const choose = (x, y) => {
    if (!running) return;
    const { purpose, from } = running;
    const [width, height] = from ? [Math.abs(x - from[0]), Math.abs(y - from[1])] : [0, 0];
    const isArea = purpose === "note" && from && width >= MIN_AREA_PX && height >= MIN_AREA_PX;
    const chosen = isArea ? { area: [Math.min(x, from[0]), Math.min(y, from[1]), width, height] } : { at: [x, y] };
    stop(); // first, so that the daemon finds the page and not what we drew on it
    void chrome.runtime.sendMessage({ type: "picked", purpose, document: page.documentId, ...chosen });
  };

  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (!running || !event.isTrusted || event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    stop();
    void chrome.runtime.sendMessage({ type: "picker-ended" });
  };

  /** @param {unknown} purpose */
  const start = (purpose) => {
    stop();
    const wanted = purpose === "note" ? "note" : "inspect";
    const words = wanted === "note" ? "Click an element, or drag over an area." : "Click an element.";
    const sheet = page.part("shield");
    const [aim, tag, area] = [page.part("aim"), page.part("tag"), page.part("area")];
    area.hidden = true;
    sheet.append(aim, tag, area, page.part("hint", `${words} Escape ends it.`));
    page.open().append(sheet);
    running = { purpose: wanted, sheet, aim, tag, area, from: null };
    for (const name of SWALLOWED) addEventListener(name, press, { capture: true, passive: false });
    addEventListener("pointermove", move, true);
    addEventListener("keydown", key, true);
  };

  const stop = () => {
    if (!running) return;
    running.sheet.remove();
    running = null;
    for (const name of SWALLOWED) removeEventListener(name, press, true);
    removeEventListener("pointermove", move, true);
    removeEventListener("keydown", key, true);
  };

  page.startPicker = start;
  page.stopPicker = stop;
})();
