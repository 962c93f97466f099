// Shows values of the store as text, by their types.
import { element } from "./dom.js";
import { ExactNumber, isNumber, writeJSON } from "./json.js";
import { link } from "./router.js";

/** The number of bytes of base64 text. */
export function byteCount(base64) {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor(base64.length / 4) * 3 - padding;
}

/** A size for people: 372 KiB. */
export function sizeText(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [size, unit] = [Number(bytes), 0];
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** A count with separators: 1,500. */
export const countText = (count) => count instanceof ExactNumber ? count.text : Number(count).toLocaleString("en-US");

/** A count with its noun: 1 object, 3 objects. */
export const counted = (count, one, many) => `${countText(count)} ${Number(count) === 1 ? one : many}`;

/** A date and time in UTC: 2026-11-30 03:12:36. */
export const dateText = (text) => String(text).replace("T", " ").replace(/(\.\d{1,3})\d*Z$|Z$/, "$1");

/** How long ago a time was: 5 min ago. */
export function ago(text) {
  const seconds = Math.round((Date.now() - Date.parse(text)) / 1000);
  if (seconds < 1) return "now";
  const units = [["year", 31557600], ["month", 2629800], ["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const [name, length] = units.find(([, size]) => seconds >= size);
  const count = Math.floor(seconds / length);
  return `${count} ${name}${count > 1 && name.length > 3 ? "s" : ""} ago`;
}

/** The text of a value, without marking null. */
export function valueText(value, property = null) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean" || isNumber(value)) return String(value);
  if (typeof value === "object") return writeJSON(value);
  if (property?.isAttribute && property.type === "date") return dateText(value);
  if (property?.isAttribute && property.type === "data") return sizeText(byteCount(value));
  return value;
}

/** A node that shows a value; `labels` has the names of referenced objects. */
export function valueNode(value, property = null, labels = null) {
  if (value === null || value === undefined) return element("span", { class: "null" }, "null");
  if (value === "") return element("span", { class: "null" }, "empty");
  if (property?.isReference) return referenceNode(property.destination, value, labels);
  if (typeof value === "boolean") return element("span", { class: value ? "yes" : "no" }, String(value));
  const text = valueText(value, property);
  const isMono = property?.isAttribute && ["uuid", "codable", "data"].includes(property.type);
  return element("span", { class: isMono ? "mono" : null, title: text.length > 30 ? text.slice(0, 2000) : null }, text);
}

/** A link to an object, with its name where it is known. */
export function referenceNode(entity, key, labels = null) {
  const object = String(key).includes(":") ? String(key) : `${entity}:${key}`;
  const label = labels?.get(object);
  return element("a", { class: "reference", href: link("object", object), tabindex: "-1" },
    element("span", { class: "key" }, object), label ? element("span", { class: "label" }, label) : null);
}

/** The class of a cell with values of a property. */
export function cellClass(property) {
  if (!property) return "";
  if (property.isAttribute && property.isNumeric) return "number";
  return property.isToMany ? "number" : "";
}
