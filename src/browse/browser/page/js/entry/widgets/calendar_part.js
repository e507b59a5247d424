/**
 * The cell of a day of the open calendar, or what turns that by a month.
 * @param {Element} _ @param {{part: "day" | "next" | "previous", date: [number, number, number]}} options
 * @param {Lib} lib @returns {Element | undefined}
 */
export default (_, { part, date }, lib) => (part === "day" ? lib.calendar.dayOf(date) : lib.calendar.turner(part));
