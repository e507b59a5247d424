/**
 * The size of the window in CSS pixels, and how many pixels of a picture each of them takes.
 * @param {Document | Element} _
 */
export default (_) => ({ width: innerWidth, height: innerHeight, scale: devicePixelRatio });
