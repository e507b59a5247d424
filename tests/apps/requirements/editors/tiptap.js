import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

window.start = (element, text, readOnly) => {
  const content = text.split("\n").map((line) => `<p>${line}</p>`).join("");
  const editor = new Editor({ element, content, extensions: [StarterKit], editable: !readOnly });
  window.held = () => editor.getText({ blockSeparator: "\n" });
};
