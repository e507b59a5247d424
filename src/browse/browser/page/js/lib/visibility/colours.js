/** Colours as numbers, and whether an eye tells two of them apart. */
export default () => {
  /** @typedef {[number, number, number, number]} Colour Red, green, blue from 0 to 255, and how opaque from 0 to 1. */
  const PLAIN = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;
  // Below this ratio (of 21) and this distance letters do not stand out from what is behind them.
  const MIN_CONTRAST = 1.2;
  const MIN_DISTANCE = 40;
  const MAX_KNOWN = 1000;
  /** @type {Map<string, Colour>} */
  const known = new Map();

  /** Let the browser paint a computed colour of one of the newer spaces. @param {string} value @returns {Colour} */
  const painted = (value) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    if (!pen) return [0, 0, 0, 1];
    pen.fillStyle = value;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };

  /** @param {string} value A computed colour. @returns {Colour} */
  const parsed = (value) => {
    const found = known.get(value);
    if (found) return found;
    const [, red, green, blue, alpha] = PLAIN.exec(value) || [];
    /** @type {Colour} */
    const colour = red === undefined ? painted(value) : [+red, +green, +blue, alpha === undefined ? 1 : +alpha];
    if (known.size < MAX_KNOWN) known.set(value, colour);
    return colour;
  };

  /** @param {Colour} top @param {Colour} below An opaque colour. @returns {Colour} */
  const over = ([red, green, blue, alpha], below) => [
    red * alpha + below[0] * (1 - alpha),
    green * alpha + below[1] * (1 - alpha),
    blue * alpha + below[2] * (1 - alpha),
    1,
  ];

  /** @param {number} value */
  const linear = (value) => (value <= 10.3 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  /** @param {Colour} colour */
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

  /** Whether nobody could read the one on the other. @param {Colour} one @param {Colour} two @returns {boolean} */
  const alike = (one, two) => {
    if (Math.max(...[0, 1, 2].map((at) => Math.abs(one[at] - two[at]))) >= MIN_DISTANCE) return false;
    const [light, dark] = [luminance(one), luminance(two)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05) < MIN_CONTRAST;
  };

  return { parsed, over, alike };
};
