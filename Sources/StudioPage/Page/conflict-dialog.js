// Lets a person decide conflicts with other saves, property by property.
import { showDialog } from "./dialog.js";
import { element } from "./dom.js";
import { pending } from "./pending.js";
import { loadObject, session } from "./session.js";
import { valueNode } from "./values.js";

/** The name under which the decision about a deletion is kept. */
const wholeObject = "";

/**
 * Shows the conflicts. Returns whether the pending changes now continue from the store's newest versions, with the
 * values that the person chose.
 */
export async function conflictDialog(conflicts) {
  const decisions = new Map(conflicts.map((conflict) => [
    conflict.object, new Map(conflict.properties.map(({ name }) => [name, "mine"])),
  ]));
  const answer = await showDialog("Another save changed these objects", element("div", { class: "stack" },
    element("p", {}, "Nothing was saved. Choose for each property which value is saved."),
    conflicts.map((conflict) => conflictCard(conflict, decisions.get(conflict.object)))),
  [{ label: "Cancel", result: null }, { label: "Use these values", kind: "primary", result: "resolve" }], "wide");
  if (answer !== "resolve") return false;
  for (const conflict of conflicts) await resolve(conflict, decisions.get(conflict.object));
  return pending.count > 0;
}

function conflictCard(conflict, decision) {
  const title = element("h3", {}, conflict.object);
  if (conflict.deleted) {
    const sentence = "Another save deleted this object. Your change of it is discarded.";
    return element("section", { class: "card" }, title, element("p", {}, sentence));
  }
  const isDeletion = pending.entry(conflict.object)?.kind === "delete";
  return element("section", { class: "card" }, title, isDeletion ? deletionChoice(conflict, decision) : null,
    element("table", { class: "conflict" },
      element("thead", {}, element("tr", {}, headings(isDeletion).map((heading) => element("th", { scope: "col" }, heading)))),
      element("tbody", {}, conflict.properties.map((property) => conflictLine(conflict, property, isDeletion, decision)))));
}

const headings = (isDeletion) => isDeletion ? ["property", "base", "theirs"] : ["property", "base", "mine", "theirs"];

/** A deletion is decided as a whole. */
function deletionChoice(conflict, decision) {
  decision.set(wholeObject, "theirs");
  const choice = (side, label) => element("label", { class: "choice" },
    radio(`${conflict.object} as a whole`, side, decision, wholeObject), label);
  return element("p", { class: "toolbar" }, "You delete it, and another save changed it.",
    choice("theirs", "Keep it"), choice("mine", "Delete it"));
}

function conflictLine(conflict, { name, base, mine, theirs }, isDeletion, decision) {
  const entity = session.model.entity(pending.entry(conflict.object)?.entity);
  const show = (value) => valueNode(value, entity?.property(name), session.labels);
  const choice = (side, value) => element("td", {}, element("label", { class: "choice" },
    radio(`${conflict.object} ${name}`, side, decision, name), element("span", { class: "hidden-text" }, `${side}: `), show(value)));
  return element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "quiet" }, show(base)),
    isDeletion ? element("td", {}, show(theirs)) : [choice("mine", mine), choice("theirs", theirs)]);
}

function radio(group, side, decision, name) {
  return element("input", {
    type: "radio", name: group, value: side, checked: decision.get(name) === side, onchange: () => decision.set(name, side),
  });
}

/** Continues from the newest version: a property that was decided for theirs is no longer changed. */
async function resolve(conflict, decision) {
  const entry = pending.entry(conflict.object);
  if (!entry) return;
  if (conflict.deleted || (entry.kind === "delete" && decision.get(wholeObject) === "theirs")) return pending.discard(conflict.object);
  pending.rebase(conflict.object, await loadObject(conflict.object), (name) => decision.get(name) !== "theirs");
}
