import assert from "node:assert/strict";
import { test } from "node:test";
import { admitted, CONTENT, pickedBy } from "../../extension/shared/gate.js";

const ID = "jhipcdggoflhkgibhlceflmalghpojel";
const content = { id: ID, url: "https://shop.test/", tab: { id: 3 }, frameId: 0 };

test("our content script in the main frame of a tab may tell what is its own to tell", () => {
  for (const type of CONTENT) assert.equal(admitted({ type }, content, ID), true);
});

const STRANGERS = {
  "another extension": {
    id: "a".repeat(32),
    url: `chrome-extension://${"a".repeat(32)}/x.html`,
    tab: { id: 1 },
    frameId: 0,
  },
  "a page without our id": { ...content, id: undefined },
  "a page of ours in a tab": { ...content, url: `chrome-extension://${ID}/panel/panel.html` },
  "a frame of a page": { ...content, frameId: 4 },
  "a content script without a tab": { id: ID, url: "https://shop.test/" },
};
for (const [name, sender] of Object.entries(STRANGERS))
  test(`${name} is refused`, () => {
    for (const type of CONTENT) assert.equal(admitted({ type }, sender, ID), false);
  });

const NONE = [
  null,
  undefined,
  7,
  "open-panel",
  [],
  {},
  { type: 7 },
  { type: "constructor" },
  { type: "" },
  { type: "command" },
];
for (const message of NONE)
  test(`${JSON.stringify(message)} is no message`, () => {
    assert.equal(admitted(message, content, ID), false);
  });

test("what was picked is checked", () => {
  const good = { purpose: "inspect", document: 1.5, at: [1, 2] };
  assert.deepEqual(pickedBy(good), { purpose: "inspect", document: 1.5, at: [1, 2], area: null });
  assert.deepEqual(pickedBy({ purpose: "note", document: 1, area: [1, 2, 3, 4] })?.area, [1, 2, 3, 4]);
  const bad = [
    { purpose: "x" },
    { document: "1" },
    { document: Number.NaN },
    { at: [1] },
    { at: [1, "2"] },
    { at: null },
  ];
  for (const change of bad) assert.equal(pickedBy({ ...good, ...change }), null);
});
