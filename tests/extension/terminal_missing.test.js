import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

/** As much of an element as the pane needs before its display is there. */
class FakeElement extends EventTarget {
  dataset = {};
  children = [];
  hidden = false;
  textContent = "";

  constructor(tag) {
    super();
    this.tag = tag;
  }

  append(...more) {
    this.children.push(...more);
  }

  replaceChildren(...all) {
    this.children = all;
  }

  setAttribute() {}
}

const words = (it) => (typeof it === "string" ? it : [it.textContent, ...it.children.map(words)].join(""));

test("without xterm.js the pane says what is missing and what to type", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "browse-pane-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  cpSync(new URL("../../extension/panel/terminal", import.meta.url), join(folder, "panel/terminal"), {
    recursive: true,
  });
  globalThis.document = { createElement: (tag) => new FakeElement(tag) };
  context.mock.method(console, "warn", () => {});
  const { mountTerminal } = await import(pathToFileURL(join(folder, "panel/terminal/terminal.js")).href);
  const root = new FakeElement("section");

  const mounted = await mountTerminal(root, { port: 1, ticket: "T" });

  assert.deepEqual(mounted, {}); // so the panel offers neither restart nor injection
  assert.match(words(root), /not installed \(xterm\.js\).*python3 tools\/xterm\.py/);
});
