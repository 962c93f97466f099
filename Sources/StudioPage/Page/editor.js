// Inputs for values, by the types of the properties.
import { get } from "./api.js";
import { Combobox } from "./combobox.js";
import { append, button, element } from "./dom.js";
import { editingText, readValue } from "./reading.js";

let count = 0;

/**
 * Makes an input for a property. `commit(value)` is called with a value that has the form of the type, `cancel()` when the
 * person cancels or leaves it unchanged. In a grid, `isInline` makes it small; `unset` names a Boolean without a value.
 * Returns the node; `focusEditor(node)` focuses it.
 */
export function makeEditor(property, value, { commit, cancel, isInline = false, label = property.name, unset = "null" }) {
  const problem = element("p", { class: "problem", role: "alert", id: `problem-${++count}`, hidden: true });
  const node = element("div", { class: `editor ${isInline ? "inline" : ""}` });
  const show = (sentence) => {
    problem.textContent = sentence ?? "";
    problem.hidden = !sentence;
    input.setAttribute("aria-invalid", String(Boolean(sentence)));
  };
  let isDone = false;
  const finish = (call, ...values) => { if (!isDone) { isDone = true; call(...values); } };
  const accept = () => {
    const read = readValue(property, input.value);
    if (read.problem) { show(read.problem); input.focus(); return; }
    finish(commit, read.value);
  };
  const input = makeInput(property, value, unset);
  input.setAttribute("aria-label", label);
  input.setAttribute("aria-describedby", problem.id);
  const field = property.isReference ? referenceBox(property, input, (text) => { input.value = text; accept(); }) : input;
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && event.target === input) accept();
    else if (event.key === "Escape") finish(cancel);
    else if (event.altKey && event.key === "0" && property.isOptional) finish(commit, null);
    else if (event.key !== "Tab") return event.stopPropagation();
    else return undefined;
    event.preventDefault();
    event.stopPropagation();
    return undefined;
  });
  // Leaving the field keeps what was typed, if it has the form of the type.
  const initial = input.value;
  node.addEventListener("focusout", (event) => {
    if (node.contains(event.relatedTarget) || isDone) return;
    const read = input.value === initial ? { problem: "unchanged" } : readValue(property, input.value);
    finish(...(read.problem ? [cancel] : [commit, read.value]));
  });
  const tools = [
    property.type === "data" ? fileButton(input) : null,
    property.isOptional && value !== null ? button(
      "null", () => finish(commit, null), { class: "button small", title: "Make it null (Alt 0)" }
    ) : null,
    property.type === "date" ? button("now", () => { input.value = "now"; accept(); }, { class: "button small" }) : null,
  ];
  return append(node, [element("div", { class: "editor-line" }, field, tools), problem]);
}

/** Focuses the input of an editor, and selects its text. */
export function focusEditor(node) {
  const input = node.querySelector("input, textarea, select");
  input?.focus();
  if (input?.select && input.tagName !== "SELECT") input.select();
}

function makeInput(property, value, unset) {
  const text = editingText(property, value);
  if (property.type === "bool") {
    return element("select", { class: "input" }, ["true", "false"].map((option) =>
      element(
        "option", { value: option, selected: option === text }, option
      )), text === "" ? element("option", { value: "", selected: true }, unset) : null);
  }
  const isLong = property.type === "codable" || property.type === "data"
    || (property.type === "string" && (text.length > 60 || text.includes("\n")));
  const attributes = {
    class: `input ${property.isNumeric ? "number" : ""} ${["uuid", "codable", "data"].includes(property.type) ? "mono" : ""}`,
    value: text, spellcheck: "false", autocomplete: "off", inputmode: property.isNumeric ? "decimal" : null,
    placeholder: placeholder(property),
  };
  return isLong ? element(
    "textarea", { ...attributes, rows: Math.min(8, text.split("\n").length + 1) }
  ) : element("input", { type: "text", ...attributes });
}

function placeholder(property) {
  if (property.type === "date") return "2026-08-01 12:00:00";
  if (property.isReference) return `${property.destination}:1`;
  return property.type === "data" ? "base64" : null;
}

/** Finds objects by their keys or by the beginnings of their names. */
function referenceBox(property, input, accept) {
  const label = property.entity.model.entity(property.destination)?.label;
  const load = async (typed) => {
    const text = typed.trim().replace(/^\w+:/, "");
    const isKey = /^\d*$/.test(text);
    const where = !isKey && label ? `${label.name} BEGINSWITH[c] ${quoted(text)}` : null;
    const { rows } = await get("query", { request: property.destination, where, order: label?.name, limit: 20 });
    return { start: 0, candidates: rows.map((row) => ({
      text: `${row.entity ?? property.destination}:${row.id}`, help: label ? row[label.name] : null,
    })) };
  };
  return new Combobox(input, load, { accepts: (candidate) => accept(candidate.text) }).node;
}

/** Text as a literal of a predicate. */
const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")}"`;

function fileButton(input) {
  const picker = element("input", { type: "file", class: "hidden-text", tabindex: "-1", "aria-label": "Choose a file", onchange: async () => {
    const file = picker.files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let start = 0; start < bytes.length; start += 32768) text += String.fromCharCode(...bytes.subarray(start, start + 32768));
    input.value = btoa(text);
    input.focus();
  } });
  return [button("File…", () => picker.click(), { class: "button small" }), picker];
}
