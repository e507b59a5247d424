import { python } from "@codemirror/lang-python";
import { EditorState } from "@codemirror/state";
import { EditorView, basicSetup } from "codemirror";

window.start = (root, doc, readOnly) => {
  const fixed = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
  const extensions = [basicSetup, python(), ...(readOnly ? fixed : [])];
  const editor = new EditorView({ doc, extensions, parent: root });
  window.held = () => editor.state.doc.toString();
};
