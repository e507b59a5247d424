/**
 * Changes one property of an element.
 * @param {Element} element
 * @param {{number: number, name: string, value: string}} options
 * @param {Lib} lib
 */
export default (element, { number, name, value }, lib) => lib.styleChanges.change(number, element, name, value);
