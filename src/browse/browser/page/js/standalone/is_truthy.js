/** @param {unknown} value @returns {boolean} */
export default (value) => Boolean(value);
