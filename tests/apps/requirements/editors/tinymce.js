import tinymce from "tinymce";
import "tinymce/icons/default";
import "tinymce/models/dom";
import "tinymce/skins/content/default/content.js";
import "tinymce/skins/ui/oxide/content.js";
import "tinymce/skins/ui/oxide/skin.js";
import "tinymce/themes/silver";

window.start = async (root, text, readonly) => {
  const value = text.split("\n").map((line) => `<p>${line}</p>`).join("");
  const target = Object.assign(document.createElement("textarea"), { value });
  root.append(target);
  const [editor] = await tinymce.init({ target, readonly, license_key: "gpl" });
  window.held = () => editor.getContent({ format: "text" });
};
