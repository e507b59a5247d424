type RefKind = "e" | "c";
type PageScript = (root: any, args: any, lib: Lib) => unknown;
