/**
 * The calendar that a date field opens: its months and days, by what its cells and headings say, and what turns it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, names } = lib;
  const CELLS = "td, button, a, span, div, time, abbr, li, [role=gridcell]";
  const TURNS = "button, a, th, [role=button], [class*=next i], [class*=prev i]";
  const FULL_MONTH = 28;
  const MAX_CELLS = 20_000;
  const MAX_LEVELS = 5;
  const MAX_TEXTS = 1_000;
  const ISO = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
  const DAY = /^\s*(0?[1-9]|[12]\d|3[01])\s*$/;
  const WAYS = {
    next: /next|forward|following|(chevron|arrow|angle)\W?right|[›»→]|^>+$/i,
    previous: /prev|back|(chevron|arrow|angle)\W?left|[‹«←]|^<+$/i,
  };
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const chosenOf = tree.getter(HTMLSelectElement.prototype, "selectedOptions");

  /** The groups of days that belong to other fields. @type {WeakSet<Element>} */
  let others = new WeakSet();

  /** @typedef {[year: number, month: number, day: number]} Day */
  /** @typedef {{cell: Element, day: number}} Cell */

  /** The names of months, in English and in the language of the page. @type {() => Map<string, number>} */
  const months = tree.once(() => {
    const found = new Map();
    const page = tree.attr(document.documentElement, "lang") || "en";
    for (const lang of ["en", /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(page) ? page : "en"])
      for (const length of /** @type {const} */ (["long", "short"]))
        for (let month = 1; month <= 12; month += 1) {
          const format = new Intl.DateTimeFormat(lang, { month: length, timeZone: "UTC" });
          found.set(
            format
              .format(Date.UTC(2024, month - 1, 15))
              .toLowerCase()
              .replace(/\.$/, ""),
            month,
          );
        }
    return found;
  });

  /** The month and the year that a text names; 0 for what it does not name. @param {string} text */
  const named = (text) => {
    const words = text.toLowerCase().match(/\p{L}+/gu) || [];
    const month = words.map((word) => months().get(word)).find((it) => it) || 0;
    return { year: Number(/(?<!\d)(?:19|20|21)\d\d(?!\d)/.exec(text)?.[0] || 0), month };
  };

  /** The date that a cell tells of itself. @param {Element} cell @param {number} day @returns {Day | null} */
  const told = (cell, day) => {
    let it = /** @type {Element | null} */ (cell);
    for (let level = 0; it && level < 3; level += 1, it = tree.parent(it)) {
      if (tree.all(it, CELLS).length > 4) return null; // more than one day
      for (const name of it.getAttributeNames()) {
        const [value, iso] = [tree.attr(it, name) || "", ISO.exec(tree.attr(it, name) || "")];
        if (iso && Number(iso[3]) === day) return [Number(iso[1]), Number(iso[2]), day];
        if (name !== "aria-label" && name !== "title") continue;
        const { year, month } = named(value);
        if (year && month && new RegExp(`(?<!\\d)${day}(?!\\d)`).test(value)) return [year, month, day];
      }
      const [year, month] = [tree.attr(it, "data-year"), tree.attr(it, "data-month")];
      if (year && month) return [Number(year), Number(month) + 1, day];
      const time = Number(tree.attr(it, "data-timestamp"));
      const date = new Date(time);
      if (time && date.getDate() === day) return [date.getFullYear(), date.getMonth() + 1, day];
    }
    return null;
  };

  /** The cells of days that can be seen, by what holds at least a month of them. @returns {Map<Element, Cell[]>} */
  const groups = () => {
    const all = tree.roots().flatMap((root) => tree.all(root, CELLS).slice(0, MAX_CELLS));
    const cells = all.flatMap((cell) => {
      const text = (cell.textContent || "").trim();
      const isDay = DAY.test(text) && ![...cell.children].some((it) => it.textContent?.trim());
      return isDay && !tree.hidden(cell) ? [{ cell, day: Number(text) }] : [];
    });
    /** @type {Map<Element, Cell[]>} */
    const counted = new Map();
    for (const it of cells) {
      let holder = tree.parent(it.cell);
      for (let level = 0; holder && level < MAX_LEVELS; level += 1, holder = tree.parent(holder))
        counted.set(holder, [...(counted.get(holder) || []), it]);
    }
    const full = [...counted].filter(
      ([, days]) => days.length >= FULL_MONTH && new Set(days.map((it) => it.day)).size >= FULL_MONTH,
    );
    return new Map(full.filter(([holder]) => !full.some(([it]) => it !== holder && tree.isWithin(it, holder))));
  };

  /** The words in an element, without those of selects. @param {Element} element */
  const words = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node && found.length < MAX_TEXTS; node = walker.nextNode()) {
      const holder = tree.parent(node);
      if (holder && tree.tag(holder) !== "option") found.push(/** @type {Text} */ (node).data);
    }
    return found;
  };

  /** The month that stands above a group of days. @param {Element} group */
  const heading = (group) => {
    let it = /** @type {Element | null} */ (group);
    for (let level = 0; it && level < MAX_LEVELS && it !== document.body; level += 1, it = tree.parent(it)) {
      const selects = tree.all(it, "select").filter((one) => one instanceof HTMLSelectElement);
      const chosen = selects.flatMap((one) => [...chosenOf(one)].map((option) => option.textContent));
      const inputs = tree.all(it, "input").filter((one) => one instanceof HTMLInputElement);
      const typed = inputs.map((input) => inputValue(input));
      const { year, month } = named([...chosen, ...typed, ...words(it)].join(" "));
      if (year && month) return { year, month };
    }
    return null;
  };

  /** The days of a group with their dates. @param {Element} group @param {Cell[]} cells */
  const dated = (group, cells) => {
    const above = cells.every(({ cell, day }) => told(cell, day)) ? null : heading(group);
    const first = cells.findIndex((it) => it.day === 1);
    let shift = first > 0 ? -1 : 0;
    return cells.map(({ cell, day }, at) => {
      if (day === 1) shift = at === first ? 0 : 1;
      const own = told(cell, day);
      if (own || !above) return { cell, date: own };
      const date = new Date(Date.UTC(above.year, above.month - 1 + shift, day));
      return { cell, date: /** @type {Day} */ ([date.getUTCFullYear(), date.getUTCMonth() + 1, day]) };
    });
  };

  /** @param {Element} cell */
  const isOff = (cell) =>
    tree.closest(cell, "[aria-disabled=true], :disabled, [class~=disabled], [class*=-disabled]") !== null;

  /** The month in the middle of a group's days. @param {{date: Day | null}[]} days @returns {Day | null} */
  const middle = (days) => days[Math.floor(days.length / 2)]?.date || null;

  /** Every calendar that can be seen; where some have come since `note`, only those. */
  const shown = () => {
    const all = [...groups()].map(([group, cells]) => ({ group, days: dated(group, cells) }));
    const found = all.filter((it) => middle(it.days));
    const fresh = found.filter(({ group }) => !others.has(group));
    return fresh.length ? fresh : found;
  };

  /** Note that the calendars that can be seen now belong to other fields, or that none does. @param {boolean} all */
  const note = (all) => {
    others = new WeakSet(all ? groups().keys() : []);
  };

  /** The cell of a day. @param {Day} wanted @returns {Element | undefined} */
  const dayOf = (wanted) => {
    const fitting = shown()
      .flatMap(({ days }) => days.map((it) => ({ ...it, month: middle(days)?.[1] })))
      .filter(({ date }) => date && date.join() === wanted.join());
    // In the calendar of its own month first: at the edges of another one it may only turn that.
    return (fitting.find(({ month }) => month === wanted[1]) || fitting[0])?.cell;
  };

  /** What turns the calendar by a month. @param {"next" | "previous"} way @returns {Element | undefined} */
  const turner = (way) => {
    const [first] = shown();
    let it = first ? /** @type {Element | null} */ (first.group) : null;
    for (let level = 0; it && level < MAX_LEVELS; level += 1, it = tree.parent(it)) {
      const all = tree
        .all(it, TURNS)
        .filter((one) => !tree.hidden(one) && !isOff(one) && !DAY.test(one.textContent || ""));
      const named = all.map((one) => {
        const label = `${names.of(one)} ${tree.attr(one, "title") || ""}`.trim();
        return { one, label, said: WAYS[way].test(label) ? label : tree.attr(one, "class") || "" };
      });
      const found = named.filter(({ label, said }) => WAYS[way].test(said) && !/year|decade/i.test(label + said));
      const best = found.find(({ said }) => /month/i.test(said)) || found[0];
      if (best) return best.one;
    }
    return undefined;
  };

  /** The months that are shown, and how a day stands. @param {Day} wanted */
  const look = (wanted) => {
    const found = shown();
    const months = found.map(({ days }) => /** @type {Day} */ (middle(days)).slice(0, 2));
    const cell = dayOf(wanted);
    const isShown = months.some(([year, month]) => year === wanted[0] && month === wanted[1]);
    const own = found.some(({ group }) => !others.has(group));
    return { months, own, day: !cell || !isShown ? "none" : isOff(cell) ? "disabled" : "there" };
  };

  return { dayOf, look, note, turner };
};
