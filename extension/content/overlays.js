// @ts-check
/** Boxes around the elements of refs, where the daemon says that they are. */
(() => {
  const page = /** @type {BrowsePage} */ (Reflect.get(globalThis, "browsePage"));
  const MAX_BOXES = 500;

  /** @type {HTMLElement | null} */
  let sheet = null;

  const move = () => {
    if (sheet) sheet.style.transform = `translate(${-scrollX}px, ${-scrollY}px)`;
  };

  const hide = () => {
    removeEventListener("scroll", move, true);
    sheet?.remove();
    sheet = null;
  };

  /**
   * Show boxes; they are in pixels of the document, so they move with it.
   * @param {unknown} boxes
   */
  const show = (boxes) => {
    hide();
    if (!Array.isArray(boxes)) return;
    sheet = page.part("sheet");
    for (const { ref, box, name } of boxes.slice(0, MAX_BOXES)) {
      if (!Array.isArray(box) || !box.every(Number.isFinite)) continue;
      const drawn = page.part("box");
      const [x, y, width, height] = box;
      page.place(drawn, x, y, width, height);
      drawn.append(page.part("label", name ? `${ref} ${String(name).slice(0, 40)}` : String(ref), "b"));
      sheet.append(drawn);
    }
    page.open().append(sheet);
    addEventListener("scroll", move, { capture: true, passive: true });
    move();
  };

  page.showOverlays = show;
  page.hideOverlays = hide;
})();
