import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { registerRichText } from "@lexical/rich-text";
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from "lexical";

window.start = (root, text, readOnly) => {
  const area = Object.assign(document.createElement("div"), { contentEditable: !readOnly });
  root.append(area);
  const editor = createEditor({ editable: !readOnly, onError: (error) => { throw error; } });
  editor.setRootElement(area);
  registerRichText(editor);
  registerHistory(editor, createEmptyHistoryState(), 300);
  editor.update(() => {
    for (const line of text.split("\n"))
      $getRoot().append($createParagraphNode().append($createTextNode(line)));
  });
  window.held = () => editor.getEditorState().read(() => $getRoot().getTextContent());
};
