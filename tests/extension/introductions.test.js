// Which of the daemon's tabs a tab of the browser is.
import assert from "node:assert/strict";
import test from "node:test";

import { Introductions } from "../../extension/shared/introductions.js";

const now = async () => {};
const refused = () => Promise.reject(new Error("not a tab of ours"));

test("a page that was busy at first is asked again", async () => {
  const answers = [refused, refused, async () => ({ tab: 4, count: 2 })];
  const waits = [];
  const known = new Introductions(() => answers.shift()(), async (ms) => void waits.push(ms));

  assert.deepEqual(await known.learn(70, 1.5), { tab: 4, count: 2 });
  assert.deepEqual(known.tabs(4), [70]);
  assert.deepEqual(waits, [1000, 2000]);
});

test("a page of others is given up, and forgotten", async () => {
  let asked = 0;
  const known = new Introductions(() => (++asked, refused()), now);

  assert.equal(await known.learn(70, 1.5), null);
  assert.equal(asked, 8);
  assert.deepEqual(known.tabs(4), []);
});

test("a document that was left says nothing about the one after it", async () => {
  const known = new Introductions(async (document) => (document === 2 ? { tab: 4, count: 0 } : refused()), async () => {
    if (!known.tabs(4).length) await known.learn(70, 2);
  });

  assert.equal(await known.learn(70, 1), null);
  assert.deepEqual(known.tabs(4), [70]);
});

test("a closed tab is forgotten", async () => {
  const known = new Introductions(async () => ({ tab: 4, count: 0 }), now);
  await known.learn(70, 1);

  known.forget(70);

  assert.deepEqual(known.tabs(4), []);
});
