/**
 * The months that the open calendar shows, and whether a day is in them.
 * @param {Document | Element} _
 * @param {{date: [number, number, number], others?: boolean}} options `others`, before the field is pressed: whether
 *   those that can be seen belong to other fields.
 * @param {Lib} lib
 */
export default (_, { date, others }, lib) => {
  if (others !== undefined) lib.calendar.note(others);
  return lib.calendar.look(date);
};
