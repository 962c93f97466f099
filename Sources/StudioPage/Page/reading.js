// Reads what a person typed as a value of a property.
import { ExactNumber, numberOf, parseJSON } from "./json.js";

const bounds = { int16: 15n, int32: 31n, int64: 63n };

/** Returns `{value}`, or `{problem}` with a sentence. */
export function readValue(property, text) {
  if (property.isReference) return readReference(property, text.trim());
  if (text.trim() === "" && !property.isText && property.isOptional) return { value: null };
  const reader = readers[property.type] ?? readers.string;
  return reader(property.isText ? text : text.trim(), property);
}

const readers = {
  string: (text) => ({ value: text }),
  url: (text) => ({ value: text }),
  bool: (text) => text === "true" || text === "false" ? { value: text === "true" } : { problem: "Write true or false." },
  int16: readInteger, int32: readInteger, int64: readInteger,
  float: readFloat, double: readFloat,
  decimal: (text) => {
    const plain = plainNumber(text);
    return plain ? { value: numberOf(plain) } : { problem: "Write a decimal number such as 12.50." };
  },
  date: readDate,
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
    ? { value: text.toUpperCase() } : { problem: "Write a UUID: 8-4-4-4-12 hexadecimal digits." },
  data: (text) => {
    const packed = text.replace(/\s+/g, "");
    return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? { value: packed } : { problem: "Write bytes in base64." };
  },
  codable: (text) => {
    try { return { value: parseJSON(text) }; } catch { return { problem: "Write JSON, with quotation marks around text." }; }
  },
};

function readInteger(text, property) {
  if (!/^[+-]?\d+$/.test(text)) return { problem: "Write a whole number." };
  const number = BigInt(text);
  const limit = 1n << bounds[property.type];
  if (number < -limit || number >= limit) return { problem: `Write a number from ${-limit} to ${limit - 1n}.` };
  return { value: numberOf(number.toString()) };
}

function readFloat(text) {
  if (/^[+-]?infinity$/i.test(text)) return { value: text.startsWith("-") ? "-infinity" : "infinity" };
  const plain = plainNumber(text);
  return plain && Number.isFinite(Number(plain)) ? { value: numberOf(plain) } : { problem: "Write a number such as 12.5 or 1e6." };
}

/** Returns a number as JSON writes it, or null. */
function plainNumber(text) {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(text);
  if (!parts || !(parts[2] || parts[3])) return null;
  const whole = (parts[2] || "0").replace(/^0+(?=\d)/, "");
  return (parts[1] === "-" ? "-" : "") + whole + (parts[3] ? "." + parts[3] : "") + (parts[4] ?? "");
}

function readDate(text) {
  if (text.toLowerCase() === "now") return { value: new Date().toISOString() };
  const parts = /^(\d{4,}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  const problem = { problem: "Write a date and time in UTC such as 2026-08-01 12:00:00, or now." };
  if (!parts) return problem;
  const [, day, time = "00:00", seconds = ":00", zone = "Z"] = parts;
  const date = new Date(`${day}T${time}${seconds.slice(0, 3)}${zone.toUpperCase()}`);
  if (Number.isNaN(date.getTime()) || (zone.toUpperCase() === "Z" && date.toISOString().slice(0, 10) !== day)) return problem;
  // A date of JavaScript has milliseconds, the store microseconds: the fraction is kept as it was typed.
  return { value: date.toISOString().replace(/\.\d+Z$/, `${seconds.slice(3)}Z`) };
}

function readReference(property, text) {
  if (text === "") return property.isOptional ? { value: null } : { problem: `Choose an object of ${property.destination}.` };
  if (/^new\d+$/.test(text)) return { value: text };
  const parts = /^(?:(\w+):)?(\d+)\b/.exec(text);
  if (!parts) return { problem: `Write a key such as ${property.destination}:12, or choose from the list.` };
  return { value: `${parts[1] ?? property.destination}:${parts[2]}` };
}

/** The text of a value for editing, which `readValue` reads back. */
export function editingText(property, value) {
  if (value === null || value === undefined) return "";
  if (property.isReference) return referenceText(property, value);
  if (property.type === "date") return String(value).replace("T", " ").replace(/Z$/, "");
  if (property.type === "codable") return writeIndented(value);
  return String(value);
}

/** The name of a referenced object: `Game:1`. A document has only its key. */
export const referenceText = (property, value) =>
  typeof value === "string" ? value : `${property.destination}:${value instanceof ExactNumber ? value.text : value}`;

export function writeIndented(value, indent = "") {
  if (value === null || typeof value !== "object") return typeof value === "string" ? JSON.stringify(value) : String(value);
  if (value instanceof ExactNumber) return value.text;
  const inner = indent + "  ";
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value) ? value.map((item) => writeIndented(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${writeIndented(member, inner)}`);
  return items.length ? `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}` : open + close;
}
