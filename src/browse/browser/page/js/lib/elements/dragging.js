/**
 * Where to drop something on an element, so that it arrives there and on the side that is meant, and where it went.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, pressGuard } = lib;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  const comparePosition = Node.prototype.compareDocumentPosition;
  // Parts of what can be seen, from its beginning: the middle first.
  const EVERYWHERE = [0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95];
  const AT_EDGE = { before: [0.12], after: [0.88] };
  /** @type {WeakRef<Element> | null} */
  let dragged = null;

  /** @param {Element} element */
  const keep = (element) => {
    dragged = new WeakRef(element);
  };
  const kept = () => {
    const element = dragged?.deref();
    return element && isConnected(element) ? element : null;
  };

  /**
   * What can be seen of an element now: cut off by the window and by what scrolls around it.
   * @param {Element} element
   */
  const visibleBox = (element) => {
    const own = tree.rect(element);
    let [left, top, right, bottom] = [own.left, own.top, own.right, own.bottom];
    /** @param {Pick<DOMRect, "left" | "top" | "right" | "bottom">} box @param {boolean} x @param {boolean} y */
    const cut = (box, x, y) => {
      if (x) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (y) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    };
    for (let it = tree.parent(element); it && it !== document.body; it = tree.parent(it)) {
      const { overflowX, overflowY } = tree.style(it);
      if (it !== document.documentElement) cut(tree.rect(it), overflowX !== "visible", overflowY !== "visible");
    }
    cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, true, true);
    return { left, top, width: right - left, height: bottom - top };
  };

  /** Whether the list in which an element stands goes across. @param {Element} element @returns {boolean} */
  const isAcross = (element) => {
    const own = tree.rect(element);
    const holder = tree.parent(element);
    const others = holder ? tree.elementsIn(holder).filter((it) => it !== element && tree.rect(it).width > 0) : [];
    const beside = others.filter((it) => {
      const box = tree.rect(it);
      return Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top) > Math.min(own.height, box.height) / 2;
    });
    return others.length > 0 && beside.length > 0;
  };

  /** @param {Element} a @param {Element} b Whether the second comes after the first. */
  const follows = (a, b) => (comparePosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

  /**
   * Where to drop on an element, from its corner: where it can be seen and is not covered.
   * @param {Element} element @param {"" | "before" | "after"} side
   */
  const placeOn = (element, side) => {
    const [own, box, across, source] = [tree.rect(element), visibleBox(element), isAcross(element), kept()];
    const along = side ? AT_EDGE[side] : EVERYWHERE;
    const [parts, others] = across ? [along, EVERYWHERE] : [EVERYWHERE, along];
    const points = parts.flatMap((x) => others.map((y) => ({ x, y })));
    /** @param {{x: number, y: number}} part */
    const off = ({ x, y }) => Math.abs(x - 0.5) + Math.abs(y - 0.5);
    points.sort((a, b) => off(a) - off(b));
    const places = points.map(({ x, y }) => ({ x: box.left + x * box.width, y: box.top + y * box.height }));
    const free = places.find(({ x, y }) => {
      const hit = box.width >= 1 && box.height >= 1 && pressGuard.hitAt(x, y);
      return hit && tree.isWithin(hit, element);
    });
    const point = free ? { x: free.x - own.left, y: free.y - own.top } : null;
    return { point, across, follows: !!source && follows(source, element) };
  };

  /**
   * What holds an element alone and is directly in another one; null if it holds others too, as a column does.
   * @param {Element} element @param {Element} holder
   */
  const childOf = (element, holder) => {
    let it = element;
    for (let up = tree.parent(it); up && up !== holder; up = tree.parent(it)) {
      if (tree.elementsIn(up).length > 1) return null;
      it = up;
    }
    return it;
  };

  /**
   * Where what was dragged stands now, seen from an element: directly before or after it, or elsewhere.
   * @param {Element} element
   * @returns {{order: "before" | "after" | "elsewhere" | "gone", number: number, count: number}}
   */
  const orderTo = (element) => {
    const source = kept();
    if (!source || !isConnected(element)) return { order: "gone", number: 0, count: 0 };
    let holder = tree.parent(source);
    while (holder && !tree.isWithin(element, holder)) holder = tree.parent(holder);
    if (!holder || holder === element) return { order: "elsewhere", number: 0, count: 0 };
    const [one, other] = [childOf(source, holder), childOf(element, holder)];
    if (!one || !other) return { order: "elsewhere", number: 0, count: 0 };
    const items = tree.elementsIn(holder).filter((it) => it === one || tree.tag(it) === tree.tag(other));
    const [at, to] = [items.indexOf(one), items.indexOf(other)];
    const order = at === to - 1 ? "before" : at === to + 1 ? "after" : "elsewhere";
    return { order, number: at + 1, count: items.length };
  };

  return { keep, orderTo, placeOn };
};
