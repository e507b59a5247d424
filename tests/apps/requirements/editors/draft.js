import { ContentState, Editor, EditorState } from "draft-js";
import "draft-js/dist/Draft.css";
import { createElement, useState } from "react";
import { render } from "react-dom";

const Words = ({ text, readOnly }) => {
  const first = () => EditorState.createWithContent(ContentState.createFromText(text));
  const [editorState, onChange] = useState(first);
  window.held = () => editorState.getCurrentContent().getPlainText();
  return createElement(Editor, { editorState, onChange, readOnly });
};
window.start = (root, text, readOnly) => render(createElement(Words, { text, readOnly }), root);
