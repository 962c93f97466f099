// The attributes and references of one object, which can be edited in place.
import { codeBlock } from "./code.js";
import { element, fill, iconButton } from "./dom.js";
import { focusEditor, makeEditor } from "./editor.js";
import { icon } from "./icons.js";
import { pending } from "./pending.js";
import { writeIndented } from "./reading.js";
import { defaultColumns } from "./rows.js";
import { session } from "./session.js";
import { valueNode } from "./values.js";

/** Makes the list of a saved object, as `get` returned it. */
export function propertyList(object, document) {
  const entity = session.model.entity(document.entity);
  return element(
    "dl", { class: "properties" }, plainProperties(entity).map((property) => propertyLine(property, object, document))
  );
}

/** The properties that have one value each, in the order of the grid's columns. */
export const plainProperties = (entity) => defaultColumns(entity).filter((property) => !property.isToMany);

/** A line of a list or a form: the name, the value, and the type with its rules. */
export function lineNode(property, value) {
  return element("div", { class: "property" }, element("dt", { class: "property-name" }, property.name), value,
    element(
      "dd", { class: "property-type" }, property.typeText, property.rules.map((rule) => element("span", { class: "rule" }, rule))
    ));
}

/** Marks a line as changed or as rejected. */
export function markLine(line, object, property) {
  const isFailed = pending.failuresOf(object, property.name).length > 0;
  line.className = `property ${isFailed ? "failed" : pending.has(object, property.name) ? "changed" : ""}`;
}

/** The sentences about a rejected value. */
export const failureNodes = (object, property) =>
  pending.failuresOf(object, property.name).map((failure) => element("p", { class: "problem", role: "alert" }, failure.message));

function propertyLine(property, object, document) {
  const value = element("dd", { class: "property-value" });
  const line = lineNode(property, value);
  const canEdit = () => session.canWrite && property.isEditable && pending.entry(object)?.kind !== "delete";
  const edit = () => {
    if (!canEdit()) return;
    const editor = makeEditor(property, pending.value(object, property.name, document.properties[property.name]), {
      cancel: () => show(true),
      commit: (changed) => { pending.setValue(object, property.name, changed, document); show(true); },
    });
    fill(value, editor);
    focusEditor(editor);
  };
  const show = (hasFocus = false) => {
    fill(value, valueContent(property, object, document), canEdit() ? tools(property, object, edit, show) : null);
    markLine(line, object, property);
    if (hasFocus && line.isConnected) value.querySelector("button")?.focus();
  };
  value.addEventListener("dblclick", (event) => { if (!event.target.closest("a, button, .editor")) edit(); });
  show();
  return line;
}

function tools(property, object, edit, show) {
  return element("span", { class: "property-tools" },
    iconButton(icon("edit"), `Edit ${property.name}`, edit),
    pending.has(object, property.name) ? iconButton(
      icon("undo"), `Discard the new value of ${property.name}`, () => { pending.unset(object, property.name); show(true); }
    ) : null);
}

function valueContent(property, object, document) {
  const fetched = document.properties[property.name];
  return element("div", { class: "property-content" },
    fullNode(property, pending.value(object, property.name, fetched)),
    pending.has(object, property.name) ? element("del", { class: "quiet" }, fullNode(property, fetched)) : null,
    failureNodes(object, property));
}

/** A value without truncation; JSON is indented. */
function fullNode(property, value) {
  if (property.type === "codable" && value !== null && typeof value === "object") return codeBlock(writeIndented(value), property.name);
  if (property.isAttribute && property.type === "data" && value) {
    const image = imageType(value);
    if (image) return element("img", { class: "preview", alt: property.name, src: `data:${image};base64,${value}` });
  }
  const node = valueNode(value, property, session.labels);
  node.removeAttribute("title");
  return node;
}

/** The media type of an image, by its first bytes. */
function imageType(base64) {
  const types = { iVBORw0KGgo: "image/png", "/9j/": "image/jpeg", R0lGOD: "image/gif", UklGR: "image/webp" };
  return base64.length < 4_000_000 ? types[Object.keys(types).find((start) => base64.startsWith(start))] : null;
}
