/**
 * The months that the open calendar shows, and whether a day is in them.
 * @param {Document | Element} _ @param {{date: [number, number, number]}} options @param {Lib} lib
 */
export default (_, { date }, lib) => lib.calendar.look(date);
