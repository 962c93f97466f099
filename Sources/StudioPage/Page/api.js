// Calls the routes of the server, and makes errors of its error documents.
import { parseJSON, writeJSON } from "./json.js";

let token = null;

/** Sets the token that a change has to be sent with. */
export function setToken(value) { token = value ?? null; }

/** An error of the server, with the members of storectl's error document. */
export class APIError extends Error {
  constructor(status, document) {
    super(document.message ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = document.code ?? null;
    this.hint = document.hint ?? null;
    this.position = document.position ?? null;
    this.failures = document.failures ?? [];
    this.conflicts = document.conflicts ?? [];
  }

  /** The sentence about a wrong predicate or order, and its column, counted in Unicode scalars from 1; null if it is unknown. */
  get place() {
    if (!this.position) return { column: null, sentence: this.message };
    // The other lines of the message show the place in the text.
    const sentence = this.message.split("\n")[0].replace(/^the [a-z ]+ has a syntax error: /, "");
    return { column: this.position.column, clause: this.position.clause, sentence };
  }
}

/** Returns the address of a route, without parameters that are empty. */
export function address(route, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `api/${route}${text ? "?" + text : ""}`;
}

/** Returns the document of a route. */
export async function get(route, parameters = {}, signal = undefined) {
  return read(() => fetch(address(route, parameters), { signal, headers: { Accept: "application/json" } }));
}

/** Sends changes, or with `dryRun` asks what they would do. */
export async function sendChanges(changes, dryRun) {
  return read(() => fetch("api/change", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Studio-Token": token ?? "" },
    body: writeJSON({ changes, dryRun }),
  }));
}

async function read(send) {
  const response = await send().catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, { message: "The server doesn't answer.", hint: "Check that storectl studio is still running." });
  });
  const text = await response.text();
  let document;
  try {
    document = parseJSON(text);
  } catch {
    document = { message: text.slice(0, 300) || `The server answered with status ${response.status}.` };
  }
  if (!response.ok) throw new APIError(response.status, document);
  return document;
}
