/**
 * What fields for secrets that have the focus hold, and whether a frame has it instead.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 * @returns {{inFrame: boolean, secret: boolean, values: string[]}}
 */
export default (_, __, lib) => {
  const { tree, roles, states } = lib;
  const focused = states.focused();
  const secret = focused.filter((element) => states.isSecret(element));
  return {
    inFrame: focused.some((element) => ["iframe", "frame"].includes(tree.tag(element))),
    secret: secret.length > 0,
    values: secret.map((element) => states.held(element, roles.of(element)).slice(0, 1000).toWellFormed()),
  };
};
