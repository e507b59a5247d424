// @ts-check
"use strict";
/**
 * Runs in Playwright's driver before the driver itself. Loading the driver takes as long as starting
 * Chromium, so Chromium is started first, with the command line of the time before, and handed over when
 * the driver comes to start it. Whatever does not fit is thrown away and started anew: the driver gets
 * what it asked for, only sooner.
 */
const childProcess = require("node:child_process");
const fs = require("node:fs");

const { BROWSE_EARLY_PLAN: planFile, BROWSE_EARLY_KEY: key, BROWSE_EARLY_PROFILE: profile } = process.env;
for (const name of ["BROWSE_EARLY_PLAN", "BROWSE_EARLY_KEY", "BROWSE_EARLY_PROFILE", "NODE_OPTIONS"]) delete process.env[name];
const PROFILE = "--user-data-dir=";
const spawn = childProcess.spawn;

/** A launch without the profile folder, which is new each time. @param {string} file @param {readonly string[]} args @param {any} options */
const plan = (file, args, options) => ({
  key,
  file,
  args: args.map((arg) => (arg.startsWith(PROFILE) ? PROFILE : arg)),
  options: { cwd: options.cwd, detached: options.detached, shell: options.shell, stdio: options.stdio },
});

const known = () => {
  try {
    const read = JSON.parse(fs.readFileSync(String(planFile), "utf8"));
    return read.key === key ? read : null;
  } catch {
    return null; // none yet, or not ours: the driver starts Chromium as it always does
  }
};

/** @param {unknown} made */
const remember = (made) => {
  try {
    const draft = `${planFile}.${process.pid}`;
    fs.writeFileSync(draft, JSON.stringify(made), { mode: 0o600 });
    fs.renameSync(draft, String(planFile));
  } catch {
    // The next start is slower, no more.
  }
};

const old = known();
/** @type {import("node:child_process").ChildProcess | null} */
let early = null;
if (old) {
  const args = old.args.map((/** @type {string} */ arg) => (arg === PROFILE ? PROFILE + profile : arg));
  early = spawn(old.file, args, { ...old.options, env: process.env });
  early.on("error", () => (early = null));
}

/** @type {any} */ (childProcess).spawn = (/** @type {any} */ file, /** @type {any} */ args, /** @type {any} */ options) => {
  if (!Array.isArray(args) || !args.includes("--remote-debugging-pipe")) return spawn(file, args, options);
  const wanted = plan(file, args, options);
  const child = early;
  early = null;
  if (child && child.exitCode === null && child.signalCode === null && JSON.stringify(wanted) === JSON.stringify(old)) return child;
  child?.kill("SIGKILL");
  remember(wanted);
  return spawn(file, args, options);
};
