import * as monaco from "monaco-editor/editor/editor.api";
import "monaco-editor/editor/contrib/clipboard/browser/clipboard";
import "monaco-editor/editor/contrib/indentation/browser/indentation";
import "monaco-editor/languages/definitions/python/register";

window.start = (root, value, readOnly) => {
  const editor = monaco.editor.create(root, { value, language: "python", readOnly });
  window.held = () => editor.getValue();
};
