// @ts-check
/** What the extension's own pages may ask of a page: which document it is, to draw on it, to let the person pick. */
(() => {
  const page = /** @type {BrowsePage} */ (Reflect.get(globalThis, "browsePage"));
  const introduce = () => chrome.runtime.sendMessage({ type: "document", document: page.documentId }).catch(() => {});

  /** @type {Record<string, (message: any) => unknown>} */
  const ACTIONS = {
    "which-document": () => ({ document: page.documentId }),
    introduce: () => void introduce(),
    // Our welcome page waits for it, and then stops pointing at the panel.
    "panel-opened": () => document.dispatchEvent(new Event("gstack-extension-ready")),
    refs: ({ count }) => page.showPill(count),
    "show-overlays": ({ boxes }) => page.showOverlays(boxes),
    "hide-overlays": () => page.hideOverlays(),
    "start-picker": ({ purpose }) => page.startPicker(purpose),
    "stop-picker": () => page.stopPicker(),
  };

  chrome.runtime.onMessage.addListener((message, sender, answer) => {
    // Only the extension can send to its content scripts; what has a tab is another content script.
    if (sender.id !== chrome.runtime.id || sender.tab || !Object.hasOwn(ACTIONS, message?.type)) return;
    answer(ACTIONS[message.type](message) ?? { ok: true });
  });

  void introduce();
})();
