// The shortcuts of the page and the dialog that lists them.
import { showDialog } from "./dialog.js";
import { element } from "./dom.js";
import { go } from "./router.js";

const places = { o: "objects", m: "model", h: "history", i: "migrations", c: "checks", s: "sizes", n: "now", p: "changes" };

const help = [
  ["Everywhere", [
    ["g o", "objects"], ["g m", "model"], ["g h", "history"], ["g i", "migrations"], ["g c", "checks"], ["g s", "sizes and settings"],
    ["g n", "now"], ["g p", "pending changes"], ["/", "the filter, or the list of entities"], ["?", "this list"],
  ]],
  ["In a grid", [
    ["← ↑ → ↓", "the next cell"], ["Home End", "first and last cell of the row"], [
      "Ctrl Home End", "first and last cell of the page",
    ],
    ["Page ↑ ↓", "ten rows"], ["Enter", "opens the object, or edits the value"], ["o", "opens the object"],
    ["s", "sorts by the column"], ["[ ]", "previous and next page"], ["c", "copies the value"],
  ]],
  ["With --write", [
    ["F2", "edits the value"], ["Esc", "cancels the edit"], ["Alt 0", "makes the value null"], ["Delete", "deletes the object"],
    ["a", "adds an object"], ["Ctrl Z", "undoes the last change"], ["Ctrl Shift Z", "redoes it"], ["Ctrl S", "shows and saves the changes"],
  ]],
];

const actions = new Map();
let isWaiting = false;
let timer = 0;

/** Sets what a key does in the view that is shown, such as `/`; null removes it. */
export function setAction(key, action) {
  if (action) actions.set(key, action); else actions.delete(key);
}

/** Forgets the actions of a view that is left. */
export function clearActions() { actions.clear(); }

/** Whether a person is typing into a field. */
const isTyping = (target) => Boolean(target?.closest?.("input, textarea, select, [contenteditable]"));

/** Starts listening to the keyboard; `global` has the actions of every view, by the names of keys with `Ctrl+`. */
export function startKeyboard(global) {
  document.addEventListener("keydown", (event) => {
    const name = keyName(event);
    if (event.defaultPrevented || (isTyping(event.target) && name !== "Ctrl+s")) return;
    if (document.querySelector("dialog[open], .shell[inert]")) {
      // Ctrl S does nothing then, instead of what the browser would do.
      if (global[name]) event.preventDefault();
      return;
    }
    if (name.startsWith("Ctrl+")) return run(event, global[name]);
    if (event.altKey) return;
    if (isWaiting) {
      isWaiting = false;
      if (places[event.key]) run(event, () => go(places[event.key]));
      return;
    }
    if (event.key === "g") return run(event, waitForPlace);
    run(event, event.key === "?" ? showHelp : actions.get(event.key) ?? global[event.key]);
  });
}

function keyName(event) {
  if (!event.ctrlKey && !event.metaKey) return event.key;
  return `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}`;
}

function run(event, action) {
  if (!action) return;
  event.preventDefault();
  action(event);
}

function waitForPlace() {
  isWaiting = true;
  clearTimeout(timer);
  timer = setTimeout(() => { isWaiting = false; }, 1500);
}

/** Lists the shortcuts. */
export function showHelp() {
  const keys = (text) => text.split(" ").map((key) => element("kbd", {}, key));
  showDialog("Keyboard", element("div", { class: "shortcuts" }, help.map(([title, lines]) =>
    element("section", {}, element("h3", {}, title),
      element(
        "dl", {}, lines.map(([key, meaning]) => element("div", {}, element("dt", {}, keys(key)), element("dd", {}, meaning)))
      )))), [], "wide");
}
