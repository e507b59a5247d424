/**
 * The computed value of a property; for one that Chromium does not know, the names of those it knows.
 * @param {Element} root
 * @param {{property: string}} options
 * @param {Lib} lib
 */
export default (root, { property }, lib) => {
  const style = lib.tree.style(root);
  const value = style.getPropertyValue(property).trim().toWellFormed();
  const isKnown = property.startsWith("--") ? value !== "" : CSS.supports(property, "inherit");
  /** Shorthands are among the members of a style only, spelled as in JavaScript. */
  const others = () => {
    const names = [];
    for (const member in style) names.push(member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    return names.filter((name) => CSS.supports(name, "inherit") && !name.startsWith("--"));
  };
  return { known: isKnown, value, others: isKnown ? [] : others() };
};
