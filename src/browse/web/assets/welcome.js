// @ts-check
// The welcome page: the arrow shows the way to the side panel, until the extension says it is open.

const hint = document.getElementById("panel-hint");
const shortcut = document.getElementById("shortcut");

if (shortcut && navigator.platform.startsWith("Mac")) shortcut.textContent = "⌘+Shift+Y";

document.addEventListener("gstack-extension-ready", () => {
  if (hint) hint.hidden = true;
});
