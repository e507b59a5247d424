// @ts-check
/** The pill at the bottom of a page: how many refs the agent knows here. A click opens the side panel. */
(() => {
  const page = /** @type {BrowsePage} */ (Reflect.get(globalThis, "browsePage"));
  const FADE_MS = 3_000;

  /** @type {HTMLElement | null} */
  let pill = null;
  let timer = 0;

  /** @param {unknown} count */
  const show = (count) => {
    if (typeof count !== "number" || !Number.isInteger(count) || count < 0) return;
    const root = page.open();
    if (!pill) {
      pill = page.part("pill");
      pill.addEventListener("click", (event) => {
        if (event.isTrusted) void chrome.runtime.sendMessage({ type: "open-panel" });
      });
    }
    pill.textContent = `browse · ${count} ${count === 1 ? "ref" : "refs"}`;
    if (!pill.isConnected) root.append(pill);
    pill.classList.remove("faded");
    clearTimeout(timer);
    timer = setTimeout(() => pill?.classList.add("faded"), FADE_MS);
  };

  page.showPill = show;
})();
