import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { put, ScannedText, scan, withoutControls } from "../../extension/panel/terminal/scanned_text.js";

const FOLDER = new URL("../../extension/", import.meta.url);

const person = (answer) => ({
  asked: [],
  told: [],
  async agrees(text, reasons) {
    this.asked.push([text, reasons]);
    return answer;
  },
  hears(reasons) {
    this.told.push(reasons);
  },
});
const screen = (bracketedPasteMode) => ({
  pasted: [],
  modes: { bracketedPasteMode },
  paste(text) {
    this.pasted.push(text);
  },
});
const says =
  (verdict, text = "clean") =>
  async () => ({ verdict, reasons: ["why"], text });

test("a text that passes is put in as the daemon cleaned it, and nobody is asked", async () => {
  const nobody = person(false);
  const shown = screen(true);
  put(shown, await scan("dirty", says("PASS"), nobody));

  assert.deepEqual([shown.pasted, nobody.asked], [["clean"], []]);
});

test("a warning asks the person, who decides", async () => {
  const careful = person(false);
  assert.equal(await scan("dirty", says("WARN"), careful), null);
  assert.deepEqual(careful.asked, [["clean", ["why"]]]);

  assert.equal(ScannedText.textOf(await scan("dirty", says("WARN"), person(true))), "clean");
});

test("what is blocked is dropped and told, and nobody can agree to it", async () => {
  const eager = person(true);
  assert.equal(await scan("dirty", says("BLOCK", ""), eager), null);

  assert.deepEqual([eager.asked, eager.told], [[], [["why"]]]);
});

for (const [what, ask] of [
  ["a daemon that cannot be reached", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an answer that is none", async () => ({ verdict: "FINE", text: "x" })],
  ["an answer without a text", async () => ({ verdict: "PASS" })],
])
  test(`${what} is a warning`, async () => {
    const careful = person(false);
    assert.equal(await scan("a\u001b[31m\u0003\r\nb", ask, careful), null);

    assert.deepEqual(careful.asked, [["a[31m\nb", ["it could not be scanned"]]]);
  });

test("nothing but a scan makes a text that can be put in", () => {
  assert.throws(() => new ScannedText(Symbol(), "x"), TypeError);
  for (const forged of ["x", null, {}, Object.create(ScannedText.prototype), { text: "x" }])
    assert.throws(() => put(screen(true), forged), TypeError);
});

test("Enter is never pressed", async () => {
  const plain = screen(false);
  const bracketed = screen(true);
  const scanned = await scan("", says("PASS", "rm x\n  rm y\n\n"), person(false));
  put(plain, scanned);
  put(bracketed, scanned);

  assert.deepEqual([plain.pasted, bracketed.pasted], [["rm x rm y"], ["rm x\n  rm y"]]);
});

test("controls are taken out, lines and tabs stay", () => {
  assert.equal(withoutControls("a\tb\r\nc\u0000\u001b]0;x\u0007\u009bd\u007f"), "a\tb\nc]0;xd");
});

test("no other file of the extension pastes into a terminal or types what nobody typed", () => {
  const files = readdirSync(FOLDER, { recursive: true }).filter((it) => it.endsWith(".js") && !it.includes("vendor"));
  const naming = (word) => files.filter((it) => readFileSync(new URL(it, FOLDER), "utf-8").includes(word));

  assert.deepEqual(naming(".paste("), ["panel/terminal/scanned_text.js"]);
  assert.deepEqual(naming("session.type("), ["panel/terminal/terminal.js"]);
  const source = readFileSync(new URL("panel/terminal/terminal.js", FOLDER), "utf-8");
  assert.equal(source.split("session.type(").length - 1, 2); // onData and onBinary
  assert.equal(source.includes(".input("), false);
});
