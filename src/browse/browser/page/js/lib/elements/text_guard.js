/**
 * Prepares a field for text that is then typed by the driver, and lets the text go into that field only.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, states } = lib;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  const TYPED = new Set(["text", "search", "url", "tel", "email", "password"]);
  /** @type {Element | null} */
  let field = null;
  /** What text was to go into, when its typing began. @type {WeakRef<Element> | null} */
  let typedInto = null;

  /** @param {Element} element @returns {element is HTMLInputElement | HTMLTextAreaElement} */
  const isText = (element) =>
    tree.tag(element) === "textarea" || (tree.tag(element) === "input" && TYPED.has(roles.inputType(element)));
  /** @param {Event} event */
  const onInput = (event) => {
    if (event.composedPath()[0] === field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  /** Whether events of an element reach the window as those of another one. @param {Element} element */
  const isEnclosed = (element) => {
    for (let root = tree.root(element); root instanceof ShadowRoot; root = tree.root(root.host))
      if (root.mode === "closed") return true;
    return false;
  };
  const disarm = () => {
    removeEventListener("beforeinput", onInput, true);
    field = null;
  };

  /** Let text go into this element only, until `finish` or `disarm`. @param {Element} element */
  const only = (element) => {
    disarm();
    field = element;
    addEventListener("beforeinput", onInput, true);
  };

  /** How the field that was found last stands: "ready" has it focused, with its text selected. */
  const prepare = () => {
    disarm();
    const element = lib.pressGuard.kept();
    if (!element) return { state: "doubt", secret: false };
    const secret = states.isSecret(element);
    if (tree.fits(element, ":disabled")) return { state: "disabled", secret };
    if (isText(element) && element.readOnly && !lib.editors.isCatcher(element)) return { state: "readonly", secret };
    if (!isText(element) || window !== window.top || tree.hidden(element) || isEnclosed(element))
      return { state: "doubt", secret };
    if (lib.editors.isCatcher(element)) return { state: "doubt", secret };
    element.focus();
    const root = tree.root(element);
    const focused = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
    if (focused !== element || !document.hasFocus()) return { state: "doubt", secret };
    element.select();
    only(element);
    return { state: "ready", secret };
  };

  /**
   * What the field that was found last holds now; null if it is gone or has no value. With `fire`, the page is told.
   * @param {boolean} fire
   */
  const finish = (fire) => {
    disarm();
    const element = lib.pressGuard.found();
    if (!element || !(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement))
      return { value: null, disabled: false, secret: false, gone: !element };
    if (fire) {
      // Some pages look at a field only when a key was let go in it.
      element.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true, composed: true }));
      element.dispatchEvent(new Event("change", { bubbles: true, composed: false }));
    }
    return {
      value: element.value.toWellFormed(),
      disabled: tree.fits(element, ":disabled"),
      secret: states.isSecret(element),
      gone: false,
    };
  };

  /** Remember what has the focus when typing begins. */
  const beginTyping = () => {
    typedInto = new WeakRef(lib.editors.focused());
  };
  /** Whether that was taken away meanwhile, and nothing else has the focus: keys went nowhere. */
  const hasLostTyping = () => {
    const before = typedInto?.deref();
    const isGone = typedInto !== null && !(before && isConnected(before));
    typedInto = null;
    return isGone && lib.editors.focused() === document.body;
  };

  return { beginTyping, disarm, finish, hasLostTyping, only, prepare };
};
