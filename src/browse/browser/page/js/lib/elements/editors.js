/**
 * Editors: elements that keep their text themselves, or show it elsewhere than in the field that has the focus. Text
 * goes into one as a paste, and what it holds is what it gives to be copied: both work for all of them, whatever the
 * text is kept in, and neither touches the clipboard.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, visibility, textGuard } = lib;
  const FIELDS = "input, select, textarea, iframe, [contenteditable], [role=textbox]";
  const GAPS = /^(div|p|span)$/;
  const GAP_PX = 60;
  const { contains } = Node.prototype;
  const editableOf = tree.getter(HTMLElement.prototype, "isContentEditable");
  const modeOf = tree.getter(HTMLElement.prototype, "contentEditable");
  const nextOf = tree.getter(Element.prototype, "nextElementSibling");
  const previousOf = tree.getter(Element.prototype, "previousElementSibling");

  /** @param {Element} element @returns {boolean} */
  const isTextarea = (element) => tree.tag(element) === "textarea";
  /** Whether a page draws itself what is typed here. @param {Element} element */
  const isDrawn = (element) => "editContext" in element && element.editContext !== null;
  /** @param {Element} element */
  const isHost = (element) =>
    element instanceof HTMLElement && editableOf(element) && !/^(inherit|false)$/.test(modeOf(element));
  /** Whether a text area only takes what is typed, and the text is shown elsewhere. @param {Element} element */
  const isCatcher = (element) => isTextarea(element) && !tree.hidden(element) && visibility.reason(element) !== "";
  /** @param {Element} element */
  const isDocument = (element) => {
    if (!(element instanceof HTMLIFrameElement)) return false;
    const body = element.contentDocument?.body;
    return !!body && (body.isContentEditable || element.contentDocument?.designMode === "on");
  };
  /** Whether an element takes the text of an editor. @param {Element} element */
  const isArea = (element) => isHost(element) || isCatcher(element) || isDrawn(element) || isDocument(element);

  /** The fields in an element, those in shadow roots as well. @param {Element} element */
  const fieldsIn = (element) => {
    if (tree.roots().length === 1) return tree.all(element, FIELDS);
    return tree.roots().flatMap((root) => tree.all(root, FIELDS).filter((it) => tree.isWithin(it, element)));
  };
  /** The one field in an element, if it is that of an editor. @param {Element} element */
  const within = (element) => {
    const fields = fieldsIn(element).filter((it) => tree.token(it, "aria-hidden") !== "true");
    const areas = fields.filter((it) => isArea(it) || !tree.hidden(it));
    return areas.length === 1 && isArea(areas[0]) ? areas[0] : null;
  };

  /**
   * What takes the text of the editor that an element is, that is in it, or that stands in place of it.
   * @param {Element} element @returns {Element | undefined}
   */
  const areaOf = (element) => {
    if (isArea(element)) return element;
    if (!isTextarea(element)) return within(element) || undefined;
    if (!tree.hidden(element)) return undefined;
    const beside = [nextOf(element), previousOf(element)].filter((it) => it instanceof Element);
    return beside.map((it) => (isArea(it) ? it : within(it))).find((it) => it !== null) || undefined;
  };

  /** @param {Element} area */
  const isFixed = (area) =>
    (area instanceof HTMLTextAreaElement && area.readOnly) || tree.token(area, "aria-readonly") === "true";
  /** @param {Element} area */
  const hasFocus = (area) => {
    const root = tree.root(area);
    const isRoot = root instanceof Document || root instanceof ShadowRoot;
    return document.hasFocus() && isRoot && root.activeElement === area;
  };

  /** Whether an editor shows other characters than it holds. @param {CSSStyleDeclaration} style */
  const isMasked = (style) => !["", "none"].includes(style.getPropertyValue("-webkit-text-security"));

  /**
   * Focus an editor, and let what is typed go into it only; how it stands then. What a host shows has no runs of
   * blanks where its style folds them, and is nothing to compare with where it is masked.
   * @param {Element} area @returns {"ready" | "folding" | "masked" | "readonly" | "doubt"}
   */
  const enter = (area) => {
    if (area instanceof HTMLElement && !hasFocus(area)) area.focus();
    if (!hasFocus(area)) return "doubt";
    if (isFixed(area)) return "readonly";
    textGuard.only(area);
    const style = tree.style(area);
    if (isMasked(style)) return "masked";
    return isHost(area) && /^(normal|nowrap|pre-line)$/.test(style.whiteSpace) ? "folding" : "ready";
  };

  /** @param {"copy" | "paste"} type @param {DataTransfer} clipboardData */
  const clipboardEvent = (type, clipboardData) =>
    new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true });

  /**
   * Paste a text where the focus is: "taken" by the page, or "left" to be typed, into this element only.
   * @param {Element} area @param {string} text @returns {"taken" | "left" | "lost" | "nothing"}
   */
  const paste = (area, text) => {
    if (!hasFocus(area)) return "lost";
    const data = new DataTransfer();
    data.setData("text/plain", text);
    // One that changes the document at once has something in mind, although it prevents nothing.
    const watch = new MutationObserver(() => undefined);
    watch.observe(area, { childList: true, characterData: true, subtree: true });
    const isLeft = area.dispatchEvent(clipboardEvent("paste", data)) && !watch.takeRecords().length;
    watch.disconnect();
    if (!isLeft) return "taken";
    if (!takesText(area)) return "nothing";
    textGuard.only(area);
    return "left";
  };

  /** What has the focus in the document, or its body. @returns {Element} */
  const focused = () => {
    let it = document.activeElement;
    for (let root = it && tree.shadowRoot(it); root?.activeElement; root = tree.shadowRoot(it))
      it = root.activeElement;
    return it || document.body;
  };
  /** Whether text with several lines can go into an element. @param {Element} element */
  const takesLines = (element) =>
    isTextarea(element) || isDrawn(element) || (element instanceof HTMLElement && editableOf(element));
  /** @param {Element} element */
  const takesText = (element) => takesLines(element) || tree.tag(element) === "input";

  /** What is selected in an editor, as it gives it to be copied. @param {Element} area @returns {string} */
  const selected = (area) => {
    const data = new DataTransfer();
    area.dispatchEvent(clipboardEvent("copy", data));
    const given = data.getData("text/plain");
    if (given) return given;
    if (area instanceof HTMLTextAreaElement) return area.value.slice(area.selectionStart, area.selectionEnd);
    const selection = document.getSelection();
    // Of another field nothing is told.
    return selection && contains.call(area, selection.anchorNode) ? String(selection) : "";
  };

  /**
   * The text that an editor shows; null where it is shown elsewhere.
   * @param {Element} area @returns {string | null}
   */
  const shown = (area) => (isHost(area) && area instanceof HTMLElement ? area.innerText : null);

  /**
   * Whether an editor shows a part of its lines only: something empty and large stands for others.
   * @param {Element} area
   */
  const isCut = (area) =>
    tree.all(area, "*").some((it) => !it.firstChild && GAPS.test(tree.tag(it)) && tree.box(it).height > GAP_PX);

  return { areaOf, enter, focused, isCatcher, isCut, paste, selected, shown, takesLines };
};
