// Lets node find `./_lib/browse-client` as bun does: without its ending.
import { registerHooks } from "node:module";

registerHooks({
  resolve(name, context, next) {
    try {
      return next(name, context);
    } catch (problem) {
      if (!name.startsWith(".") || problem.code !== "ERR_MODULE_NOT_FOUND") throw problem;
      return next(`${name}.ts`, context);
    }
  },
});
