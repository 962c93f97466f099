// Reads and writes JSON without losing digits: a number that JavaScript can't represent exactly stays text.

/** A number as its text, such as 9007199254740993. */
export class ExactNumber {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

/** Returns a number if it prints as the same text, else an exact number. */
export function numberOf(text) {
  const number = Number(text);
  return String(number) === text ? number : new ExactNumber(text);
}

/** Whether a value is a number of either kind. */
export const isNumber = (value) => typeof value === "number" || value instanceof ExactNumber;

const givesSource = (() => {
  let source;
  JSON.parse("1.0", (key, value, context) => { source = context?.source; return value; });
  return source === "1.0";
})();

/** Parses a JSON text. */
export function parseJSON(text) {
  if (!givesSource) return new JSONReader(text).document();
  return JSON.parse(text, (key, value, context) => typeof value === "number" ? numberOf(context.source) : value);
}

/** Writes a value as JSON; exact numbers are written as they were read. */
export function writeJSON(value) {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return "[" + value.map((item) => writeJSON(item ?? null)).join(",") + "]";
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return "{" + members.map(([name, member]) => JSON.stringify(name) + ":" + writeJSON(member)).join(",") + "}";
  }
  return JSON.stringify(value);
}

/** Whether two values of JSON are equal, by their contents. */
export const isEqual = (first, second) => writeJSON(first ?? null) === writeJSON(second ?? null);

/** Parses JSON where `JSON.parse` doesn't return the text of a number. */
export class JSONReader {
  constructor(text) {
    this.text = text;
    this.position = 0;
  }

  document() {
    const value = this.value();
    this.skipSpace();
    if (this.position < this.text.length) this.fail();
    return value;
  }

  value() {
    this.skipSpace();
    const first = this.text[this.position];
    if (first === "{") return this.object();
    if (first === "[") return this.array();
    if (first === "\"") return this.string();
    const token = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    if (token === "true" || token === "false") return token === "true";
    return token === "null" ? null : numberOf(token);
  }

  object() {
    const result = {};
    for (const _ of this.items("{", "}")) {
      this.skipSpace();
      const name = this.string();
      this.expect(":");
      const value = this.value();
      // An assignment would set the prototype.
      if (name === "__proto__") Object.defineProperty(
        result, name, { value, enumerable: true, configurable: true, writable: true }
      );
      else result[name] = value;
    }
    return result;
  }

  array() {
    const result = [];
    for (const _ of this.items("[", "]")) result.push(this.value());
    return result;
  }

  /** Reads the punctuation around the items of an object or an array; the caller reads the items. */
  *items(opening, closing) {
    this.expect(opening);
    this.skipSpace();
    if (this.text[this.position] !== closing) {
      yield true;
      this.skipSpace();
      while (this.text[this.position] === ",") {
        this.position += 1;
        yield false;
        this.skipSpace();
      }
    }
    this.expect(closing);
  }

  string() {
    const start = this.position;
    if (this.text[start] !== "\"") this.fail();
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== "\"") end += this.text[end] === "\\" ? 2 : 1;
    this.position = end + 1;
    return JSON.parse(this.text.slice(start, this.position));
  }

  match(pattern) {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (!found) this.fail();
    this.position = pattern.lastIndex;
    return found[0];
  }

  expect(character) {
    this.skipSpace();
    if (this.text[this.position] !== character) this.fail();
    this.position += 1;
  }

  skipSpace() {
    while (" \t\n\r".includes(this.text[this.position] ?? "x")) this.position += 1;
  }

  fail() {
    throw new SyntaxError(`The JSON text has an error at position ${this.position}.`);
  }
}
