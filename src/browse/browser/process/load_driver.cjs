// Starts Playwright's driver with the parts of it that a driver needs: node load_driver.cjs <package>
// run-driver. The rest of its bundle (its own command line, its tools for agents, and a second
// bundle of libraries for servers, archives and images) takes longer to load than all of Chromium.
// Where the bundle is not as expected, the whole of it is loaded, as Playwright does itself.
"use strict";
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

// The last statement of the bundle loads all of its modules. They load what they need themselves,
// so loading that of the driver is enough.
const LOAD_ALL = "\ninit_coreBundle();\n";
const LOAD_DRIVER = "\ninit_driver();\nmodule.exports = { runDriver, connections: () => CRConnection };\n";
const NEEDED = ["\nvar init_driver = __esm(", "\nfunction runDriver() {"];

const [, , folder, ...words] = process.argv;
const library = path.join(folder, "lib");
const cli = path.join(folder, "cli.js");
process.argv = [process.argv[0], cli, ...words];

let isLoading = true;

/** Stand for an export of the libraries; they are loaded when it is used for the first time. */
function later(load, name) {
  const forward = {};
  for (const trap of Object.getOwnPropertyNames(Reflect)) {
    forward[trap] = (_, ...args) => Reflect[trap](load()[name], ...args);
  }
  // All that a module takes out of an export while it loads is a function (`yauzl.open`).
  const method = (key) => (...args) => load()[name][key](...args);
  forward.get = (_, key) => (isLoading ? method(key) : owned(Reflect.get(load()[name], key)));
  const standIn = new Proxy(function () {}, forward);
  // A method must find the export itself as `this`: what is private in it is not in its stand-in.
  const apply = (it, self, args) => Reflect.apply(it, self === standIn ? load()[name] : self, args);
  const owned = (it) => (typeof it === "function" ? new Proxy(it, { apply }) : it);
  return standIn;
}

/** Stand for the libraries. Each is a function, or an object that is used like one. */
function libraries(load) {
  const made = { debug: process.env.DEBUG ? load().debug : silent };
  return new Proxy(made, {
    get: (known, name) => (known[name] ??= later(load, name)),
  });
}

/** What `debug` is while nothing is to be logged; the driver asks it at every message. */
function silent() {
  return silence;
}
function silence() {}
silent.enabled = () => false;

function driver() {
  const name = path.join(library, "coreBundle.js");
  const source = fs.readFileSync(name, "utf8");
  const at = source.lastIndexOf(LOAD_ALL);
  if (at < 0 || !NEEDED.every((part) => source.includes(part))) return undefined;
  const bundle = new Module(name, module);
  bundle.filename = name;
  bundle.paths = Module._nodeModulePaths(library);
  const usual = bundle.require;
  const known = libraries(() => usual.call(bundle, "./utilsBundle"));
  bundle.require = (id) => (id === "./utilsBundle" ? known : usual.call(bundle, id));
  bundle._compile(source.slice(0, at) + LOAD_DRIVER, name);
  isLoading = false;
  if (process.env.BROWSE_QUIET_DRIVER) require("./quiet_runtime.cjs").quieten(bundle.exports.connections());
  return bundle.exports.runDriver;
}

function driverOrNothing() {
  try {
    return driver();
  } catch {
    return undefined; // a Playwright that we do not know
  }
}

const run = driverOrNothing();
if (run) run();
else require(cli);
