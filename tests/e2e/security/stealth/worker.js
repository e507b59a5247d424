// What a worker sees of the browser.
const formats = () => {
  let read = false;
  Error.prepareStackTrace = () => { read = true; return ""; };
  console.debug(new Error("x"));
  delete Error.prepareStackTrace;
  return read;
};
const facts = () => ({
  formats: formats(),
  userAgent: navigator.userAgent,
  platform: navigator.platform,
  languages: navigator.languages.join(),
  cores: navigator.hardwareConcurrency,
  webdriver: String(navigator.webdriver),
  brands: navigator.userAgentData ? navigator.userAgentData.brands.map((it) => it.brand).join() : "",
});
if (typeof DedicatedWorkerGlobalScope !== "undefined" && self instanceof DedicatedWorkerGlobalScope) {
  postMessage(facts());
} else if (typeof SharedWorkerGlobalScope !== "undefined" && self instanceof SharedWorkerGlobalScope) {
  onconnect = (event) => event.ports[0].postMessage(facts());
} else {
  onmessage = (event) => event.ports[0].postMessage(facts());
}
