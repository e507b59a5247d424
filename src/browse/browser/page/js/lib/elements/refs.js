/**
 * The ref table of one document. An element that was shown keeps its number for the document's life;
 * a number finds that very element or nothing. The numbers themselves are given out by the daemon, so
 * that they are unique in the tab's main document and its frames. `doc` is the daemon's count of that main
 * document: numbers of another one are unknown here.
 * @param {Lib} lib
 */
export default (lib) => {
  const isConnected = lib.tree.getter(Node.prototype, "isConnected");
  const ownerOf = lib.tree.getter(Node.prototype, "ownerDocument");
  const CLICKABLE = "clickable";
  const NUMBERS = /[0-9]+/g;

  /** @typedef {{role: string, name: string}} RoleAndName */
  /** @typedef {RoleAndName & {element: WeakRef<Element>}} Shown */
  /** @typedef {{numbers: WeakMap<Element, number>, shown: Map<number, Shown>, next: number}} Table */
  /** @returns {Table} */
  const emptyTable = () => ({ numbers: new WeakMap(), shown: new Map(), next: 1 });
  /** @type {Record<RefKind, Table>} */
  let tables = { e: emptyTable(), c: emptyTable() };
  let known = 0;
  /** Elements that were looked at, and not shown yet. @type {Map<string, Shown>} */
  const lookedAt = new Map();

  /** What an element is called now. @param {Element} element @param {RefKind} kind @returns {RoleAndName} */
  const called = (element, kind) =>
    kind === "c"
      ? { role: CLICKABLE, name: lib.clickable.name(element) }
      : { role: lib.roles.of(element), name: lib.names.of(element) };

  /** Start a run: elements that are new get numbers from here on. @param {RefNumbers} numbers */
  const begin = ({ doc, e, c }) => {
    if (doc !== known) tables = { e: emptyTable(), c: emptyTable() };
    known = doc;
    lookedAt.clear();
    tables.e.next = e;
    tables.c.next = c;
  };

  /** Give an element its number, without showing it yet. @param {RefKind} kind @param {Element} element */
  const reserve = (kind, element) => {
    const table = tables[kind];
    const own = table.numbers.get(element);
    if (own !== undefined) return own;
    const number = table.next++;
    table.numbers.set(element, number);
    return number;
  };

  /**
   * Give an element its number, and note what it is called. What it was shown as before stays, until `confirm`.
   * @param {RefKind} kind @param {Element} element @param {string} role @param {string} name @returns {number}
   */
  const look = (kind, element, role, name) => {
    const number = reserve(kind, element);
    lookedAt.set(`${kind}${number}`, { element: new WeakRef(element), role, name });
    return number;
  };

  /** Count elements as shown that were looked at. @param {number} doc @param {[RefKind, number][]} refs */
  const confirm = (doc, refs) => {
    for (const [kind, number] of doc === known ? refs : []) {
      const seen = lookedAt.get(`${kind}${number}`);
      if (seen) tables[kind].shown.set(number, seen);
    }
  };

  /** An element that was looked at. @param {number} doc @param {number} number */
  const seen = (doc, number) => (doc === known ? lookedAt.get(`e${number}`)?.element.deref() : undefined);

  /** @param {RefKind} kind @param {Element} element @param {string} role @param {string} name @returns {number} */
  const show = (kind, element, role, name) => {
    const number = reserve(kind, element);
    const { shown } = tables[kind];
    const entry = shown.get(number);
    if (entry) {
      entry.role = role;
      entry.name = name;
    } else shown.set(number, { element: new WeakRef(element), role, name });
    return number;
  };

  /**
   * Whether an element is called as it was. What takes the text of an editor may have the line of the caret as its
   * name.
   * @param {Element} element @param {RoleAndName} was @param {RoleAndName} now
   */
  const isSame = (element, was, now) => {
    if (now.role !== was.role) return false;
    if (now.name === was.name) return true;
    return now.name.replace(NUMBERS, "") === was.name.replace(NUMBERS, "") && lib.editors.isCatcher(element);
  };

  /**
   * How things stand with a ref: `ok`, `changed` (another role or name than was shown), `stale` (no longer in the
   * document) or `unknown` (this document never showed it).
   * @param {number} doc @param {RefKind} kind @param {number} number
   * @returns {{status: "ok" | "changed" | "stale" | "unknown", was?: RoleAndName, now?: RoleAndName, element?:
   *   Element}}
   */
  const inspect = (doc, kind, number) => {
    const entry = doc === known ? tables[kind].shown.get(number) : undefined;
    if (!entry) return { status: "unknown" };
    const was = { role: entry.role, name: entry.name };
    const element = entry.element.deref();
    if (!element || !isConnected(element) || ownerOf(element) !== document) return { status: "stale", was };
    const now = called(element, kind);
    return { status: isSame(element, was, now) ? "ok" : "changed", was, now, element };
  };

  /**
   * @param {number} doc @param {RefKind} kind @param {number} number @param {boolean} anyway
   * @returns {Element | null}
   */
  const find = (doc, kind, number, anyway) => {
    const { status, element } = inspect(doc, kind, number);
    return status === "ok" || (status === "changed" && anyway) ? element || null : null;
  };

  /** The numbers that the next new elements will get. @returns {RefNumbers} */
  const next = () => ({ doc: known, e: tables.e.next, c: tables.c.next });

  return { CLICKABLE, begin, reserve, look, confirm, seen, show, inspect, find, next };
};
