// Runs first in every page, in stealth: reports uncaught errors by the console, where only
// quiet_runtime.cjs takes them for that. It calls nothing that the page could have replaced, and
// looks at nothing of an error that the page would notice.
"use strict";

/** @param {string} mark written before each report */
function reportErrors(mark) {
  "use strict";
  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { debug } = console;
  const isError = Error.isError ?? (() => false);
  const text = String;
  const names = [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];
  const prototypes = names.map((it) => [it.prototype, it.name]);
  const reader = (type, name) => {
    const { get } = getOwnPropertyDescriptor(type.prototype, name);
    return (event) => apply(get, event, []);
  };
  const message = reader(ErrorEvent, "message");
  const address = reader(ErrorEvent, "filename");
  const line = reader(ErrorEvent, "lineno");
  const column = reader(ErrorEvent, "colno");
  const value = reader(ErrorEvent, "error");
  const reason = reader(PromiseRejectionEvent, "reason");
  const report = (words, place = ": ") => apply(debug, console, [`${mark}${place}\n${words}`]);

  const nameOf = (error) => {
    const own = getPrototypeOf(error);
    for (let i = 0; i < prototypes.length; i += 1) if (prototypes[i][0] === own) return prototypes[i][1];
    return "Error";
  };
  const shown = (value) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return text(value);
    if (!isError(value)) return "Object";
    const told = getOwnPropertyDescriptor(value, "message")?.value;
    return typeof told === "string" && told ? `${nameOf(value)}: ${told}` : nameOf(value);
  };
  const onError = (event) => {
    if (!event.isTrusted) return;
    const words = message(event);
    // A worker's error, of which the page's log tells, comes without the value that was thrown.
    const isOwn = value(event) !== null || words === "Uncaught null" || words === "Script error.";
    if (isOwn) report(words, `${line(event)}:${column(event)} ${address(event)}`);
  };
  const onRejection = (event) => {
    if (event.isTrusted) report(`Uncaught (in promise) ${shown(reason(event))}`);
  };
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onRejection);
}

module.exports = { reportErrors };
