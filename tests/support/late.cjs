// Loaded into Playwright's driver: whatever it says to the daemon arrives later, in the same order.
"use strict";
const lateMs = Number(process.env.BROWSE_TEST_LATE_MS);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (piece) => {
  setTimeout(write, lateMs, piece);
  return true;
};
