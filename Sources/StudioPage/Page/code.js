// Blocks of code, which can be copied.
import { announce, element, iconButton } from "./dom.js";
import { icon } from "./icons.js";

const keywords = new Set(`add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop else end
exists foreign from group having in index insert into is join key left like limit not null on or order primary references rename returning select set
table then to unique update using values view when where with`.split(/\s+/));
const tokens = /(--[^\n]*)|('(?:[^']|'')*')|("(?:[^"]|"")*")|([A-Za-z_]\w*)|([^])/g;

/** Shows SQL, or other text, with a button that copies it. */
export function codeBlock(text, label = "Code") {
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    announce("Copied.");
  };
  return element("div", { class: "code-block" },
    element(
      "pre", { tabindex: "0", role: "region", "aria-label": label }, element("code", {}, colored(text))
    ), iconButton(icon("copy"), "Copy", copy));
}

/** Long texts stay plain, because each colored word is an element. */
function colored(text) {
  if (text.length > 100_000) return text;
  const nodes = [];
  let plain = "";
  const add = (className, token) => {
    if (plain) nodes.push(plain);
    plain = "";
    nodes.push(element("span", { class: className }, token));
  };
  for (const [token, comment, string, , word] of text.matchAll(tokens)) {
    if (comment) add("code-comment", token);
    else if (string) add("code-string", token);
    else if (word && word === word.toUpperCase() && keywords.has(word.toLowerCase())) add("code-keyword", token);
    else plain += token;
  }
  return [...nodes, plain];
}
