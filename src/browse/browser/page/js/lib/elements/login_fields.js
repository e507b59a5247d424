/**
 * The fields of a login in this document: which they are, whether a person sees them, whether the document and the
 * form are those of the site that the login is for. Filling checks all of it in the same breath, so nothing can change
 * between.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, states, visibility, visibleContent, patterns } = lib;
  const TEXTS = new Set(["text", "email", "tel"]);
  const CODES = new Set(["text", "tel", "number", "password"]);
  const MIN_PX = 8;
  const MIN_BOXES = 4;
  const MAX_BOXES = 10;
  const formOf = tree.getter(HTMLInputElement.prototype, "form");
  const actionOf = tree.getter(HTMLFormElement.prototype, "action");
  const controlsOf = tree.getter(HTMLFormElement.prototype, "elements");
  const { set: setValue, get: getValue } = /** @type {{set: (value: string) => void, get: () => string}} */ (
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
  );

  /** @typedef {{user: Element[], password: Element[], code: Element[]}} Fields A one-time code may have several. */
  /** @typedef {{user?: string, password?: string, code?: string}} LoginValues */

  /** @param {Element} field @param {...string} words */
  const fillsIn = (field, ...words) =>
    tree
      .token(field, "autocomplete")
      .split(/\s+/)
      .some((word) => words.includes(word));
  /** Whether a person sees a field and could type into it. @param {Element} field */
  const isUsable = (field) => {
    const { width, height } = tree.box(field);
    const isOpen = !tree.fits(field, ":disabled, [readonly], [inert] *");
    return isOpen && width >= MIN_PX && height >= MIN_PX && visibility.isVisible(field) && !visibility.reason(field);
  };
  /** @param {Element} field */
  const isCode = (field) =>
    CODES.has(roles.inputType(field)) &&
    (fillsIn(field, "one-time-code") ||
      (!fillsIn(field, "current-password") && states.isCalled(field, patterns.codeNames)));
  /** @param {Element} field */
  const isPassword = (field) => roles.inputType(field) === "password" && !isCode(field);
  /** @param {Element} field */
  const isUser = (field) =>
    fillsIn(field, "username", "email", "webauthn") ||
    roles.inputType(field) === "email" ||
    states.isCalled(field, patterns.userNames);

  /** The boxes of a code that has one for each digit. @param {Element[]} fields */
  const boxes = (fields) => {
    const found = fields.filter((it) => CODES.has(roles.inputType(it)) && tree.attr(it, "maxlength") === "1");
    return found.length >= MIN_BOXES && found.length <= MAX_BOXES ? found : [];
  };

  /** The field for the user's name: before the password in its form; without one, the only such field. */
  const userField = (/** @type {Element[]} */ texts, /** @type {Element | undefined} */ password) => {
    if (!password) {
      const named = texts.filter(isUser);
      const sure = named.filter((it) => fillsIn(it, "username"));
      return sure.length === 1 ? sure : named.length === 1 ? named : [];
    }
    const form = formOf(password);
    const before = texts.filter(
      (it) => formOf(it) === form && it.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return (before.some(isUser) ? before.filter(isUser) : before).slice(-1);
  };

  /** @returns {Fields & {unseen: boolean}} */
  const find = () => {
    const all = visibleContent.all(document, "input");
    const seen = all.filter(isUsable);
    const split = boxes(seen);
    const codes = split.length ? split : seen.filter(isCode);
    const password = seen.filter((it) => isPassword(it) && !codes.includes(it));
    const texts = seen.filter((it) => TEXTS.has(roles.inputType(it)) && !codes.includes(it));
    const unseen = !password.length && !codes.length && all.some(isPassword);
    return { user: userField(texts, password[0]), password, code: codes, unseen };
  };

  /** Where a form is sent, if that is not this site. @param {Element} field @param {string} origin */
  const elsewhere = (field, origin) => {
    const form = formOf(field);
    if (!form) return "";
    const sent = [actionOf(form)];
    // A button that is a picture is none of the form's elements, and Enter presses it all the same.
    const pictures = visibleContent
      .all(document, "input")
      .filter((it) => roles.inputType(it) === "image" && formOf(it) === form);
    for (const control of [...controlsOf(form), ...pictures])
      if (tree.has(control, "formaction")) sent.push(tree.absolute(tree.attr(control, "formaction") || ""));
    const foreign = sent.find((url) => {
      if (/^javascript:/i.test(url)) return false;
      return !URL.canParse(url) || new URL(url).origin !== origin;
    });
    if (foreign === undefined) return "";
    return URL.canParse(foreign) && new URL(foreign).origin !== "null"
      ? new URL(foreign).origin
      : foreign.slice(0, 60);
  };

  /** Whether the fields may be filled, and why not. @param {string} origin @param {ReturnType<typeof find>} fields */
  const judge = (origin, fields) => {
    const { user, password, code, unseen } = fields;
    const to = [...user, ...password, ...code].map((it) => elsewhere(it, origin)).find((it) => it) || "";
    const above = [...location.ancestorOrigins];
    if (self.origin !== origin) return { state: "origin", to };
    if (location.origin !== origin) return { state: "written", to }; // by a page, into a frame without an address
    if (above.some((it) => it !== origin)) return { state: "framed", to };
    if (to) return { state: "elsewhere", to };
    if (password.length > 1) return { state: "several", to };
    if (password.some((it) => fillsIn(it, "new-password"))) return { state: "new", to };
    if (user.length || password.length || code.length) return { state: "ready", to };
    return { state: unseen ? "unseen" : "none", to };
  };

  /** @param {Fields} fields @returns {("user" | "password" | "code")[]} */
  const parts = ({ user, password, code }) => {
    /** @type {("user" | "password" | "code")[]} */
    const found = [];
    if (user.length) found.push("user");
    if (password.length) found.push("password");
    if (code.length) found.push("code");
    return found;
  };

  /** Which fields there are, and whether a login of this origin may go into them. @param {string} origin */
  const look = (origin) => {
    const fields = find();
    return { ...judge(origin, fields), origin: self.origin, parts: parts(fields) };
  };

  /**
   * Put a value in as a person's own password manager does: the page is told of it, and of keys that say nothing. A
   * secret is painted as dots, also where the page turns its field into one for text.
   * @param {Element} field @param {string} value @param {boolean} secret
   */
  const put = (field, value, secret) => {
    const input = /** @type {HTMLInputElement} */ (field);
    if (secret) input.style.setProperty("-webkit-text-security", "disc", "important");
    input.focus();
    field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, composed: true }));
    setValue.call(field, value);
    field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText" }));
    field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true, composed: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return getValue.call(field) === value;
  };

  /** A value, which comes as base64: so it is spelled in the records of the driver, where it is masked. */
  const decoded = (/** @type {string | undefined} */ text) =>
    text ? new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))) : "";

  /**
   * Fill what there is. Scripts of the page run after each field, so all is looked at again before the next.
   * @param {string} origin @param {LoginValues} values
   */
  const fill = (origin, values) => {
    /** @type {("user" | "password" | "code")[]} */
    const done = [];
    for (const part of /** @type {("user" | "password" | "code")[]} */ (["user", "password", "code"])) {
      const value = decoded(values[part]);
      lib.cache.clear();
      const fields = find();
      const verdict = judge(origin, fields);
      if (verdict.state !== "ready") return { ...verdict, origin: self.origin, parts: done };
      if (!value || !fields[part].length) continue;
      const pieces = fields[part].length > 1 ? [...value] : [value];
      if (pieces.length !== fields[part].length) continue;
      if (pieces.map((piece, at) => put(fields[part][at], piece, part !== "user")).every(Boolean)) done.push(part);
    }
    return { state: "ready", to: "", origin: self.origin, parts: done };
  };

  return { fill, look };
};
