// What a hostile page can try on the extension; returns how each attempt ended.
async ({ id, origin }) => {
  const settled = () => new Promise((done) => setTimeout(done, 50));
  const fetched = (path) => fetch(`${origin}/${path}`).then(() => "reached", () => "refused");
  const send = () =>
    new Promise((done) => {
      try {
        chrome.runtime.sendMessage(id, { type: "open-panel" }, (answer) => done(answer ?? "refused"));
      } catch {
        done("refused");
      }
    });
  const framed = async () => {
    const frame = document.createElement("iframe");
    frame.src = `${origin}/panel/panel.html`;
    document.body.append(frame);
    await new Promise((done) => {
      frame.onload = frame.onerror = done;
    });
    return frame.contentDocument ? "reached" : "refused";
  };
  const drawn = async () => {
    for (const type of ["start-picker", "refs", "show-overlays", "picked", "open-panel"]) {
      window.postMessage({ type, count: 7, purpose: "inspect", boxes: [] }, "*");
      document.dispatchEvent(new CustomEvent(type, { detail: { count: 7 } }));
    }
    await settled();
    return document.querySelector("browse-layer") ? "drawn" : "nothing";
  };
  return {
    message: typeof chrome !== "undefined" && chrome.runtime?.sendMessage ? await send() : "refused",
    file: await fetched("manifest.json"),
    worker: await fetched("worker.js"),
    frame: await framed(),
    drawn: await drawn(),
    leaked: ["browsePage", "browseConnect"].filter((name) => name in globalThis).join(),
  };
};
