// @ts-check
/**
 * Where the extension draws on a page: in a closed shadow root above everything, which takes no clicks unless one of its
 * parts says so. Content scripts are no modules: these files share one object, which the page cannot see.
 */
(() => {
  const STYLE = `
    :host { all: initial !important; position: fixed !important; inset: 0 !important; width: auto !important;
      height: auto !important; margin: 0 !important; border: 0 !important; padding: 0 !important;
      background: none !important; overflow: visible !important; pointer-events: none !important;
      z-index: 2147483647 !important; display: block !important; contain: layout style size !important; }
    * { box-sizing: border-box; font: 12px/1.4 system-ui, sans-serif; }
    .pill { position: fixed; right: 16px; bottom: 16px; padding: 5px 12px; border: 1px solid #f59e0b;
      border-radius: 999px; background: #1b1b1fe6; color: #fafafa; cursor: pointer; pointer-events: auto;
      opacity: 1; transition: opacity 0.6s; }
    .pill.faded { opacity: 0.3; }
    .pill:hover { opacity: 1; }
    .box { position: absolute; border: 2px solid #f59e0b; background: #f59e0b1a; border-radius: 2px; }
    .box b { position: absolute; left: -2px; top: -18px; padding: 0 4px; border-radius: 3px; background: #92400e;
      color: #fff; font-size: 11px; font-weight: 600; white-space: nowrap; }
    .shield { position: fixed; inset: 0; cursor: crosshair; pointer-events: auto; }
    .aim { position: fixed; border: 2px solid #2563eb; background: #2563eb26; }
    .area { position: fixed; border: 2px dashed #2563eb; background: #2563eb26; }
    .hint { position: fixed; left: 50%; top: 12px; transform: translateX(-50%); padding: 6px 14px; border-radius: 8px;
      background: #1b1b1ff2; color: #fafafa; max-width: 90vw; }
    .tag { position: fixed; padding: 2px 6px; border-radius: 4px; background: #1e3a8a; color: #fff; max-width: 60vw;
      overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    @media (prefers-reduced-motion: reduce) { .pill { transition: none; } }
    /* In an archive of the page. */
    :host(:not(:popover-open)) { display: none !important; }
    @media print { :host { display: none !important; } }
    /* A screenshot is taken: browse sets this property. */
    @container style(--browse-no-drawings: yes) { :host { display: none !important; } }`;

  /** @type {HTMLElement | null} */
  let host = null;
  /** @type {ShadowRoot | null} */
  let root = null;

  /** The root to draw in; a page that removed it gets it again. @returns {ShadowRoot} */
  const open = () => {
    if (!host || !root) {
      host = document.createElement("browse-layer");
      host.setAttribute("aria-hidden", "true");
      host.setAttribute("popover", "manual");
      root = host.attachShadow({ mode: "closed" });
      const style = document.createElement("style");
      style.textContent = STYLE;
      root.append(style);
    }
    if (!host.isConnected) document.documentElement.append(host);
    // Above dialogs of the page; again each time, because one that opens later lies above.
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
    return root;
  };

  /** Make an element with a text. @param {string} name @param {string} [text] @param {string} [tag] */
  const part = (name, text = "", tag = "div") => {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text;
    return made;
  };

  /** @param {HTMLElement} element @param {number} x @param {number} y @param {number} width @param {number} height */
  const place = (element, x, y, width, height) =>
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });

  // Which document this is: the daemon reads the same number in its own world, and the page can change neither.
  const documentId = performance.timeOrigin;

  Object.assign(globalThis, { browsePage: { documentId, open, part, place } });
})();
