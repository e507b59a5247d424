/**
 * Where a slider stands, and from where to where it goes; null for a number that it does not tell.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => {
  /** @param {string} name @returns {number | null} */
  const number = (name) => {
    const said = (lib.tree.attr(root, name) || "").trim();
    return said && Number.isFinite(Number(said)) ? Number(said) : null;
  };
  if (root instanceof HTMLInputElement) {
    const [low, high] = [number("min") ?? 0, number("max") ?? 100];
    return { now: root.valueAsNumber, low, high: Math.max(low, high) };
  }
  return { now: number("aria-valuenow"), low: number("aria-valuemin"), high: number("aria-valuemax") };
};
