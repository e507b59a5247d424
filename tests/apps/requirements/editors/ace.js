import ace from "ace-builds/src-noconflict/ace";
import "ace-builds/src-noconflict/mode-python";

window.start = (root, value, readOnly) => {
  const editor = ace.edit(root, { mode: "ace/mode/python", readOnly, useWorker: false });
  editor.setValue(value, -1);
  window.held = () => editor.getValue();
};
