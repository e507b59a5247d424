import CodeMirror from "codemirror5";
import "codemirror5/lib/codemirror.css";
import "codemirror5/mode/python/python.js";

window.start = (root, text, readOnly) => {
  const area = Object.assign(document.createElement("textarea"), { value: text });
  root.append(area);
  const editor = CodeMirror.fromTextArea(area, { mode: "python", indentUnit: 4, readOnly });
  window.held = () => editor.getValue();
};
