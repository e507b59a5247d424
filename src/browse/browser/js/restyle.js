// @ts-check
/**
 * Changes one property of an element.
 * @param {Element} element
 * @param {{number: number, name: string, value: string}} options
 * @param {any} lib
 */
(element, { number, name, value }, lib) => lib.restyled.change(number, element, name, value);
