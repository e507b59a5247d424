import Quill from "quill";
import "quill/dist/quill.snow.css";

window.start = (root, text, readOnly) => {
  const editor = new Quill(root, { theme: "snow", readOnly });
  editor.setText(text);
  window.held = () => editor.getText();
};
