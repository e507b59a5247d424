// @ts-check
// Bars by day, drawn as SVG: each bar is made of one part for each kind.
import { svg } from "./dom.js";

const HEIGHT = 110;
const BELOW = 18;
const STEP = 20;
const BAR = 14;
const MAX_KINDS = 5;

/**
 * Return the kinds that have a colour of their own, the most frequent first.
 * @param {{ name: string, count: number }[]} byKind
 */
export function colours(byKind) {
  return new Map(byKind.slice(0, MAX_KINDS).map((it, at) => [it.name, `kind${at}`]));
}

/**
 * Draw attempts by day, a bar for every day of the time, also for those without any.
 * @param {{ since: string, days: number, entries: number, byDay: { day: string, kinds: Record<string, number> }[],
 *   byKind: { name: string, count: number }[] }} security
 */
export function dayChart(security) {
  const classes = colours(security.byKind);
  const found = new Map(security.byDay.map((it) => [it.day, it.kinds]));
  const days = Array.from({ length: security.days }, (_, at) => after(security.since, at));
  const top = Math.max(1, ...[...found.values()].map(sum));
  const width = days.length * STEP;
  const busiest = days.reduce((best, day) => (sum(found.get(day)) > sum(found.get(best)) ? day : best));
  const label = security.entries
    ? `Security events by day; most on ${busiest}: ${sum(found.get(busiest))}`
    : "Security events by day: none";
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${HEIGHT + BELOW}`, role: "img", "aria-label": label },
    svg("line", { class: "axis", x1: 0, x2: width, y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }),
    ...days.flatMap((day, at) => bar(day, found.get(day) ?? {}, { left: at * STEP, top, classes })),
    ...[0, Math.floor(days.length / 2), days.length - 1].map((at) => dayLabel(days[at], at, days.length)),
    svg("text", { x: 0, y: 10 }, security.entries ? `${top}` : ""),
  );
}

/**
 * @param {string} day
 * @param {Record<string, number>} kinds
 * @param {{ left: number, top: number, classes: Map<string, string> }} how
 */
function bar(day, kinds, { left, top, classes }) {
  const order = [...classes.keys(), ...Object.keys(kinds).filter((kind) => !classes.has(kind))];
  let bottom = HEIGHT;
  return order.flatMap((kind) => {
    const count = kinds[kind] ?? 0;
    if (!count) return [];
    const height = Math.max(2, (count / top) * (HEIGHT - 14));
    bottom -= height;
    const place = { x: left + (STEP - BAR) / 2, y: bottom, width: BAR, height, rx: 2 };
    const title = svg("title", {}, `${day}: ${kind} ${count}`);
    return [svg("rect", { class: classes.get(kind) ?? "kind-other", ...place }, title)];
  });
}

/**
 * @param {string} day
 * @param {number} at
 * @param {number} count
 */
function dayLabel(day, at, count) {
  const anchor = at === 0 ? "start" : at === count - 1 ? "end" : "middle";
  const x = at === 0 ? 0 : at === count - 1 ? count * STEP : at * STEP + STEP / 2;
  return svg("text", { x, y: HEIGHT + BELOW - 4, "text-anchor": anchor }, day.slice(5));
}

/** @param {Record<string, number> | undefined} kinds */
function sum(kinds) {
  return Object.values(kinds ?? {}).reduce((total, count) => total + count, 0);
}

/**
 * @param {string} day
 * @param {number} days
 */
function after(day, days) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
