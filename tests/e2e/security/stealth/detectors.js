// Asks what scripts ask who want to know whether a program drives the browser. Each detector gives
// true if it has found something. The facts that were seen are sent along, for the table.

const found = {};
const seen = {};

/** @param {string} name @param {() => unknown} detector */
const ask = (name, detector) => {
  try {
    found[name] = Boolean(detector());
  } catch (problem) {
    found[name] = `${problem}`;
  }
};

const native = (it) => /^(function|get|class)?.*\{\s*\[native code\]\s*\}$/s.test(Function.prototype.toString.call(it));
const getter = (type, name) => Object.getOwnPropertyDescriptor(type, name)?.get;

const values = (scope) => ({
  userAgent: scope.navigator.userAgent,
  platform: scope.navigator.platform,
  languages: scope.navigator.languages.join(),
  cores: scope.navigator.hardwareConcurrency,
  webdriver: String(scope.navigator.webdriver),
  brands: scope.navigator.userAgentData?.brands.map((it) => it.brand).join() ?? "",
});

function askWindow() {
  ask("webdriver is true", () => navigator.webdriver);
  ask("webdriver is an own property", () => Object.getOwnPropertyNames(navigator).includes("webdriver"));
  ask("webdriver is gone from the prototype", () => !("webdriver" in Navigator.prototype));
  ask("webdriver's getter is a script", () => !native(getter(Navigator.prototype, "webdriver")));
  ask("no plugins", () => navigator.plugins.length === 0);
  ask("plugins are not a PluginArray", () => !(navigator.plugins instanceof PluginArray) || `${navigator.plugins}` !== "[object PluginArray]");
  ask("no PDF viewer", () => !navigator.pdfViewerEnabled);
  ask("no languages", () => navigator.languages.length === 0);
  ask("no chrome object", () => typeof window.chrome !== "object");
  ask("chrome object without loadTimes and csi", () => !window.chrome?.loadTimes || !window.chrome?.csi);
  ask("chrome object with scripts in it", () => Object.values(window.chrome ?? {}).some((it) => typeof it === "function" && !native(it)));
  ask("user agent says headless", () => /headless/i.test(navigator.userAgent));
  ask("brands say headless", () => /headless/i.test(JSON.stringify(navigator.userAgentData?.brands)));
  ask("no client hints", () => !navigator.userAgentData);
  ask("client hints and user agent differ", () => {
    const major = /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1];
    return !navigator.userAgentData?.brands.some((it) => it.version === major);
  });
  ask("platform and user agent differ", () => {
    const word = { Linux: "Linux", macOS: "Mac", Windows: "Windows" }[navigator.userAgentData?.platform ?? ""];
    return !word || !navigator.userAgent.includes(word) || !navigator.platform.startsWith(word.slice(0, 3));
  });
  ask("window without a frame", () => window.outerWidth === 0 || window.outerHeight === 0);
  ask("window larger than the screen", () => window.innerWidth > screen.width || window.innerHeight > screen.height);
  ask("window as large as its page", () => window.outerHeight === window.innerHeight);
  ask("automation globals", () => Object.getOwnPropertyNames(window).filter((it) => /^(cdc_|\$cdc|__pw|__playwright|__puppeteer|__webdriver|__selenium|__driver|_phantom|callPhantom|domAutomation|_Selenium|calledSelenium|__nightmare|awesomium|\$chrome_async|__browse)/i.test(it)).length);
  ask("automation globals in the document", () => Object.getOwnPropertyNames(document).filter((it) => /cdc_|webdriver|selenium|playwright/i.test(it)).length || document.documentElement.hasAttribute("webdriver"));
  ask("toString is a script", () => !native(Function.prototype.toString) || !native(Function.prototype.toString.toString));
  ask("functions of the platform are scripts", () =>
    [navigator.permissions.query, HTMLCanvasElement.prototype.toDataURL, WebGLRenderingContext.prototype.getParameter,
     Element.prototype.attachShadow, document.querySelector, window.open, window.alert, fetch, XMLHttpRequest.prototype.open,
     MediaDevices.prototype.enumerateDevices, Notification.requestPermission, Date, Intl.DateTimeFormat].some((it) => !native(it)));
  ask("getters of the navigator are scripts", () =>
    ["userAgent", "platform", "languages", "plugins", "hardwareConcurrency", "deviceMemory", "webdriver", "permissions"]
      .some((name) => getter(Navigator.prototype, name) && !native(getter(Navigator.prototype, name))));
  ask("getters of the navigator do not check their object", () => {
    try {
      getter(Navigator.prototype, "userAgent").call({});
      return true;
    } catch (problem) {
      return !(problem instanceof TypeError);
    }
  });
  ask("prepareStackTrace is set", () => "prepareStackTrace" in Error);
  ask("a page that is never hidden has no focus", () => document.visibilityState !== "visible");
  ask("no notifications", () => typeof Notification === "undefined");
  ask("no connection, or one without delay", () => !navigator.connection || navigator.connection.rtt === 0);
  ask("few cores or little memory", () => !(navigator.hardwareConcurrency > 0) || !(navigator.deviceMemory > 0 || !isSecureContext));
  ask("no speech", () => !window.speechSynthesis);
  ask("hairlines are not drawn", () => {
    const line = document.body.appendChild(document.createElement("div"));
    line.style.border = ".5px dotted transparent";
    const height = line.offsetHeight;
    line.remove();
    return height === 0;
  });
  seen.userAgent = navigator.userAgent;
  seen.brands = JSON.stringify(navigator.userAgentData?.brands);
  seen.window = `${innerWidth}x${innerHeight} in ${outerWidth}x${outerHeight} on ${screen.width}x${screen.height}`;
  seen.plugins = navigator.plugins.length;
  seen.chrome = Object.keys(window.chrome ?? {}).join();
}

function askTraces() {
  // A browser whose console is listened to looks at what is logged.
  ask("the console reads a stack", () => {
    let read = false;
    const trap = new Error("x");
    Object.defineProperty(trap, "stack", { get() { read = true; return ""; } });
    console.debug(trap);
    return read;
  });
  ask("the console reads a name", () => {
    let read = false;
    class Trap extends Error {}
    Object.defineProperty(Trap.prototype, "name", { get() { read = true; return ""; } });
    console.debug(new Trap());
    return read;
  });
  ask("the console reads an element", () => {
    let read = false;
    const trap = document.createElement("div");
    Object.defineProperty(trap, "id", { get() { read = true; return ""; } });
    console.debug(trap);
    return read;
  });
  ask("the console calls toString", () => {
    let read = false;
    const trap = () => {};
    trap.toString = () => { read = true; return ""; };
    console.debug(trap);
    const day = new Date();
    day.toString = () => { read = true; return ""; };
    console.debug(day);
    return read;
  });
  ask("the console formats with our function", () => {
    let read = false;
    Error.prepareStackTrace = () => { read = true; return ""; };
    for (const name of ["debug", "log", "error", "dir", "table", "trace", "group"]) console[name](new Error("x"), { in: new Error("y") });
    delete Error.prepareStackTrace;
    console.groupEnd();
    return read;
  });
  ask("the console looks behind a proxy", () => {
    let read = false;
    console.groupEnd(Object.create(new Proxy({}, { ownKeys() { read = true; return []; } })));
    console.debug(Object.create(new Proxy({}, { ownKeys() { read = true; return []; } })));
    return read;
  });
  ask("stacks name a driver", () => /playwright|puppeteer|pptr|UtilityScript|__browse/i.test(new Error("x").stack ?? ""));
}

/** A browser that is listened to looks at what is thrown, too, and so may a script that runs before ours. */
async function askErrors() {
  let formatted = false;
  let read = false;
  const debug = console.debug;
  const message = Object.getOwnPropertyDescriptor(ErrorEvent.prototype, "message");
  Error.prepareStackTrace = () => { formatted = true; return ""; };
  console.debug = () => { read = true; };
  Object.defineProperty(ErrorEvent.prototype, "message", { ...message, get() { read = true; return ""; } });
  const trap = new Proxy({}, { get() { read = true; }, getOwnPropertyDescriptor() { read = true; }, getPrototypeOf() { read = true; return null; } });
  setTimeout(() => { throw new Error("x"); });
  setTimeout(() => { throw trap; });
  Promise.reject(new Error("y"));
  Promise.reject(trap);
  dispatchEvent(new Event("error"));
  await new Promise((done) => setTimeout(done, 50));
  delete Error.prepareStackTrace;
  console.debug = debug;
  Object.defineProperty(ErrorEvent.prototype, "message", message);
  ask("uncaught errors are formatted with our function", () => formatted);
  ask("uncaught errors are read by others", () => read);
}

async function askPermissions() {
  const state = (await navigator.permissions.query({ name: "notifications" })).state;
  ask("permissions contradict each other", () => Notification.permission === "denied" && state === "prompt");
  seen.notifications = `${Notification.permission}, ${state}`;
}

async function askHints() {
  const hints = await navigator.userAgentData?.getHighEntropyValues(["platformVersion", "architecture", "model", "uaFullVersion", "fullVersionList", "bitness"]);
  ask("detailed hints say headless", () => /headless/i.test(JSON.stringify(hints)));
  ask("detailed hints are empty", () => !hints || !hints.architecture || !hints.uaFullVersion);
  seen.hints = JSON.stringify(hints);
}

function askGraphics() {
  const gl = document.createElement("canvas").getContext("webgl");
  ask("no WebGL", () => !gl);
  const about = gl?.getExtension("WEBGL_debug_renderer_info");
  seen.webgl = about ? `${gl.getParameter(about.UNMASKED_VENDOR_WEBGL)} / ${gl.getParameter(about.UNMASKED_RENDERER_WEBGL)}` : "none";
  ask("WebGL without a card", () => /swiftshader|llvmpipe|basic render/i.test(seen.webgl));
}

async function askMedia() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  seen.devices = devices.length;
  ask("no video that shops use", () => !document.createElement("video").canPlayType('video/mp4; codecs="avc1.42E01E"'));
}

const differs = (one, other) => Object.keys(one).filter((it) => it !== "webdriver" || other[it] !== "undefined").filter((it) => one[it] !== other[it]).join();

async function askFrames() {
  for (const [name, frame] of [["blank", {}], ["srcdoc", { srcdoc: "<p>x" }], ["sandboxed", { srcdoc: "<p>x", sandbox: "allow-same-origin" }]]) {
    const made = Object.assign(document.createElement("iframe"), {});
    for (const [key, value] of Object.entries(frame)) made.setAttribute(key, value);
    const loaded = new Promise((done) => made.addEventListener("load", done));
    document.body.append(made);
    const early = differs(values(window), values(made.contentWindow));
    await loaded;
    ask(`a frame (${name}) differs`, () => early || differs(values(window), values(made.contentWindow)));
    ask(`a frame (${name}) has scripts for functions`, () => !native(made.contentWindow.Function.prototype.toString) || !native(getter(made.contentWindow.Navigator.prototype, "webdriver")));
    ask(`a frame (${name}) has no chrome object`, () => typeof made.contentWindow.chrome !== typeof window.chrome);
    made.remove();
  }
}

async function askWorkers() {
  const own = values(window);
  const answer = (ask, listen) => new Promise((done) => { listen(done); ask?.(); setTimeout(() => done({ data: null }), 8000); });
  const dedicated = new Worker("worker.js");
  const first = (await answer(null, (done) => { dedicated.onmessage = done; })).data;
  ask("a worker differs", () => !first || differs(own, first));
  const shared = new SharedWorker("worker.js");
  const second = (await answer(() => shared.port.start(), (done) => { shared.port.onmessage = done; })).data;
  ask("a shared worker differs", () => !second || differs(own, second));
  const registered = await navigator.serviceWorker.register("worker.js");
  await navigator.serviceWorker.ready;
  const channel = new MessageChannel();
  const third = (await answer(() => registered.active.postMessage("", [channel.port2]), (done) => { channel.port1.onmessage = done; })).data;
  ask("a service worker differs", () => !third || differs(own, third));
  ask("the console of a worker formats with our function", () => first?.formats || second?.formats || third?.formats);
  seen.workers = [first, second, third].map((it) => it && differs(own, it)).join(" | ");
  await registered.unregister();
}

async function askHeaders() {
  const sent = await (await fetch("headers")).json();
  ask("headers say headless", () => /headless/i.test(JSON.stringify(sent)));
  ask("headers and navigator differ", () => sent["user-agent"] !== navigator.userAgent);
  ask("no languages in headers", () => !sent["accept-language"]);
  seen.headers = Object.keys(sent).join();
  seen.language = sent["accept-language"];
}

addEventListener("load", async () => {
  askWindow();
  askTraces();
  askGraphics();
  for (const part of [askErrors, askPermissions, askHints, askMedia, askFrames, askWorkers, askHeaders]) {
    try {
      await part();
    } catch (problem) {
      found[`${part.name} could not ask`] = `${problem}`;
    }
  }
  await fetch(`report${location.search}`, { method: "POST", body: JSON.stringify({ found, seen }) });
  document.title = "Reported";
});
