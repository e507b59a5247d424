import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser } from "../../extension/shared/events.js";

const STREAM =
  'event: activity\ndata: {"id": 1}\n\n: heartbeat\n\nevent: gap\r\ndata: a\r\ndata: b\r\n\r\ndata: c\n\n';
const EVENTS = [
  { event: "activity", data: '{"id": 1}' },
  { event: "gap", data: "a\nb" },
  { event: "message", data: "c" },
];

for (const size of [1, 2, 3, 7, 1000])
  test(`a stream in pieces of ${size} gives the same events`, () => {
    const parser = new EventParser();
    const found = [];
    for (let at = 0; at < STREAM.length; at += size) found.push(...parser.add(STREAM.slice(at, at + size)));
    assert.deepEqual(found, EVENTS);
  });

test("an event that is not complete waits", () => {
  const parser = new EventParser();
  assert.deepEqual(parser.add("data: x\n"), []);
  assert.deepEqual(parser.add("\n"), [{ event: "message", data: "x" }]);
});
