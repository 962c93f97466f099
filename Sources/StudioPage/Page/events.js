// The live events of the server. The connection is open while a view listens, because a browser allows only six to a server, in all
// its windows. It reconnects by itself.
import { parseJSON } from "./json.js";

const names = ["opened", "save", "activity", "rates"];
const listeners = new EventTarget();
let source = null;
let listening = 0;
let state = "connecting";

/** Whether the events arrive: `connecting`, `live`, or a sentence about what is wrong. */
export const liveState = () => state;

/** Listens to `opened`, `save`, `activity`, `rates` or `state` until the signal aborts; `call` gets the document. */
export function listen(name, call, signal) {
  listeners.addEventListener(name, (event) => call(event.detail), { signal });
  listening += 1;
  signal.addEventListener("abort", () => {
    listening -= 1;
    if (listening === 0) close();
  });
  if (!source) connect();
}

function close() {
  source?.close();
  source = null;
  state = "connecting";
}

function connect() {
  source = new EventSource("api/events");
  // Live once the first event has come: when the connection opens, the server doesn't follow the store yet.
  for (const name of names) {
    source.addEventListener(name, (event) => {
      setState("live");
      send(name, parseJSON(event.data));
    });
  }
  source.addEventListener("error", showError);
}

/** The server's own event and a lost connection have the same name; only the former has data. */
function showError({ data, target }) {
  if (data) return setState(parseJSON(data).error.message);
  if (target.readyState !== EventSource.CLOSED) return setState("no connection, trying again");
  // The server refuses events, for example to too many pages: the browser doesn't try again, but the next view does.
  source = null;
  setState("no events, reload the page");
}

function setState(next) {
  if (state === next) return;
  state = next;
  send("state", state);
}

function send(name, detail) { listeners.dispatchEvent(new CustomEvent(name, { detail })); }
