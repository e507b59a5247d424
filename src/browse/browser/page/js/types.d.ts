/** What page scripts and their shared parts have in common. `Lib` itself is in lib.d.ts, which is generated. */

/** A script of js/entry; the daemon decides what it is given (browser/page/scripts.py). */
type PageScript = (root: Document | Element, args: unknown, lib: Lib) => unknown;

/** The two kinds of refs: `@e1` for elements of the accessibility tree, `@c1` for other things that can be pressed. */
type RefKind = "e" | "c";
/** What an element is looked for: to press it, to point at it, to fill it with text, or anything else. */
type ElementUse = "" | "press" | "point" | "text";
/** The next numbers by kind, and the daemon's count of the main document that they are for. */
type RefNumbers = { doc: number; e: number; c: number };

/** The states of an element as a snapshot tells them: `checked`, `level`, `value` and so on. */
type ElementStates = Record<string, string | number | boolean>;

/** One line of an accessibility tree, as told to the daemon. */
type SnapshotRow = [
  number: number,
  depth: number,
  role: string,
  name: string,
  marks: string,
  text: string,
  flags: number,
  context?: string,
];

/** What a custom element told only through `ElementInternals`. */
interface ElementInternalsFacts {
  role: string;
  name: string;
  value: string;
  states: ElementStates;
}

/** What the daemon was told about custom elements, and those that it is yet to ask about. */
interface ClosedShadow {
  waiting: Element[];
  roots: WeakMap<Element, ShadowRoot>;
  internals: WeakMap<Element, ElementInternalsFacts>;
  known: boolean;
}

/** A field that differs from what the page came with; `way` leads to it (lib/elements/paths.js). */
interface TypedField {
  way: string[];
  kind: string;
  name: string;
  values: string[];
}

/** A part of a document that is scrolled. */
interface ScrolledPart {
  way: string[];
  left: number;
  top: number;
}

/** Words of a page that a person cannot see, as told to the daemon. */
interface HiddenWords {
  text: string;
  place: string;
  why: string;
  users: boolean;
  alarm: boolean;
}

/** A set of properties of CSS, as far as it is asked. */
interface Properties {
  has(name: string): boolean;
}

/** A set of elements, as far as it is asked. */
interface ElementSet {
  has(element: Element): boolean;
  size: number;
}

/** Red, green and blue from 0 to 255, and how opaque from 0 to 1. */
type Colour = [red: number, green: number, blue: number, alpha: number];

/** What is painted behind words, and whether that is known. */
interface Background {
  colour: Colour;
  known: boolean;
}

/** What their colours do to letters; "" is nothing. */
type Ink = "" | "transparent" | "same colour" | "maybe same colour";

/** What the style of an element and of all around it does to the words in it (lib/visibility/style_hiding.js). */
interface StyleState {
  above: StyleState | null;
  /** The nearest element that a rule touched, and its style. */
  element: Element | null;
  style: CSSStyleDeclaration | null;
  opacity: number;
  /** The size of letters in pixels, where any is set; Infinity elsewhere. */
  fontSize: number;
  /** Whether letters lie on top of each other. */
  overlaps: boolean;
  /** Why the words cannot be seen, and through which element, the outermost first. */
  reasons: { why: string; by: Element }[];
  forScreenReaders: boolean;
  notDisplayed: boolean;
  /** Whether a box around cuts off what does not fit, and whether one has no room: what is positioned may leave it. */
  cutsOff: boolean;
  hasNoRoom: boolean;
  /** What is there, and does not show what is in it: closed details, a canvas. */
  foldedBy: Element | null;
  ink?: Ink;
  background?: Background;
}

interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where something stands (lib/visibility/clip_boxes.js). */
interface Stand {
  /** The nearest box that cuts it off, if any, and whether that scrolls. */
  cutBy: Element | null;
  scrolls: boolean;
  /** The nearest box that cuts it off and has no room. */
  emptyBox: Element | null;
  /** Whether it stays where it is when the page scrolls. */
  fixed: boolean;
}

/** A property of an element before it was changed, and its whole attribute `style` (lib/editing/style_edits.js). */
interface StyleEdit {
  element: Element;
  property: string;
  value: string;
  priority: string;
  text: string | null;
  brief: boolean;
}

/** A table as rows of words (lib/content/table_rows.js), or a list of things that look alike (repeated_items.js). */
interface RowsOfWords {
  name: string;
  columns: string[];
  rows: string[][];
  width: number;
  cut: boolean;
  /** Whether only the rows that will be shown were read. */
  isPart: boolean;
  /** How many rows there are, read or not. */
  count: number;
}

/** The same with the elements of its rows, those of the header apart. */
interface RowsOfTable extends RowsOfWords {
  headers: Element[];
  elements: Element[];
}

/** A value that JSON does not know, as the driver writes it: one of these, `id` for what `ref` can refer to. */
interface EncodedValue {
  id?: number;
  ref?: number;
  v?: string;
  d?: string | null;
  u?: string;
  bi?: string;
  r?: { p: string; f: string };
  e?: { m: string; n: string; s: string };
  ab?: { b: string };
  ta?: { b: string; k: string };
  a?: unknown[];
  o?: { k: string; v: unknown }[];
  m?: { k: unknown; v: unknown }[];
  s?: unknown[];
}

/** A database of IndexedDB as the driver writes it: values that JSON does not know are encoded. */
interface SavedDatabase {
  name: string;
  version: number;
  stores: {
    name: string;
    autoIncrement: boolean;
    keyPath?: string;
    keyPathArray?: string[];
    indexes: { name: string; keyPath?: string; keyPathArray?: string[]; unique: boolean; multiEntry: boolean }[];
    records: { key?: unknown; keyEncoded?: unknown; value?: unknown; valueEncoded?: unknown }[];
  }[];
}
