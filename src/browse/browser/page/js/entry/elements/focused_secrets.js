/**
 * What fields for secrets that have the focus hold, and whether a frame has it instead; after typing, whether the page
 * took away what was typed into.
 * @param {Document | Element} _ @param {{typing: "" | "begins" | "ends"}} options @param {Lib} lib
 * @returns {{inFrame: boolean, secret: boolean, values: string[], lost: boolean}}
 */
export default (_, { typing }, lib) => {
  const { tree, roles, states, textGuard } = lib;
  const lost = typing === "ends" && textGuard.hasLostTyping();
  if (typing === "begins") textGuard.beginTyping();
  const focused = states.focused();
  const secret = focused.filter((element) => states.isSecret(element));
  return {
    inFrame: focused.some((element) => ["iframe", "frame"].includes(tree.tag(element))),
    secret: secret.length > 0,
    values: secret.map((element) => states.held(element, roles.of(element)).slice(0, 1000).toWellFormed()),
    lost,
  };
};
