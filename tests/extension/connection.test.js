import assert from "node:assert/strict";
import { test } from "node:test";
import { checked } from "../../extension/shared/connection.js";

const TICKET = "x".repeat(43);

test("a port and a ticket are a connection", () => {
  assert.deepEqual(checked({ port: 34567, ticket: TICKET, launched: true }), {
    port: 34567,
    ticket: TICKET,
    launched: true,
  });
  assert.equal(checked({ port: 1, ticket: TICKET })?.launched, false);
});

const BAD = [
  null,
  7,
  {},
  { port: 0, ticket: TICKET },
  { port: 70000, ticket: TICKET },
  { port: "80", ticket: TICKET },
  { port: 1.5, ticket: TICKET },
  { port: 80, ticket: "short" },
  { port: 80, ticket: `${TICKET}\r\nHost: evil` },
];
for (const value of BAD)
  test(`${JSON.stringify(value)} is none`, () => {
    assert.equal(checked(value), null);
  });
