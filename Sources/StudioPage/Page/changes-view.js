// The pending changes as a difference, and saving them as one.
import { conflictDialog } from "./conflict-dialog.js";
import { showDialog } from "./dialog.js";
import { button, element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { partsOf } from "./model.js";
import { pending } from "./pending.js";
import { link } from "./router.js";
import { loadCounts, session } from "./session.js";
import { blockInput } from "./shell.js";
import { emptyNode, errorNode, loadingNode, toast } from "./status.js";
import { counted, referenceNode, valueNode } from "./values.js";

/** Shows the view. */
export function showChanges(root, place, signal) {
  if (!session.canWrite) return fill(root, emptyNode("This page only reads the store.", "Start storectl studio with --write to change objects."));
  const message = element("div", { class: "save-message" });
  const show = () => fill(
    root,
    element(
      "div", { class: "view" }, header(message), message,
      pending.count ? list() : emptyNode(
        "There are no pending changes.",
        "Edit a value in a grid, or add and delete objects. Nothing is saved before you save here."
      )
    )
  );
  pending.addEventListener("change", show, { signal });
  return show();
}

function header(message) {
  const isEmpty = pending.count === 0;
  return element("header", { class: "view-header" },
    element("h1", {}, "Changes", element("span", { class: "count" }, pending.count)),
    element("div", { class: "toolbar" },
      button([icon("undo"), "Undo"], () => pending.undo(), { disabled: !pending.canUndo }),
      button([icon("redo"), "Redo"], () => pending.redo(), { disabled: !pending.canRedo }),
      button("Discard all", () => pending.discardAll(), { disabled: isEmpty }),
      button("Save…", () => reviewAndSave(message), { class: "button primary", disabled: isEmpty })));
}

function list() {
  return [
    pending.failures.length ? element("div", { class: "notice bad", role: "alert" }, icon("warning"), element("div", {},
      element("p", { class: "notice-title" }, "Nothing was saved: some values break rules of the model."),
      element("p", { class: "quiet" }, "They are marked below. Correct them and save again."))) : null,
    [...pending.entries.values()].map(entryCard),
  ];
}

function entryCard(entry) {
  const name = entry.kind === "insert" ? `${entry.entity} (${entry.object})` : entry.object;
  const entity = session.model.entity(entry.entity);
  const label = entry.base[entity?.label?.name];
  return element("section", { class: `card change-card ${entry.kind}` },
    element("header", { class: "card-header" },
      element("h2", {}, element(
        "span", { class: `change-kind count-${{ insert: "inserted", update: "updated", delete: "deleted" }[entry.kind]}` },
        entry.kind
      ),
        element("a", { href: link("object", entry.object) }, name), label ? element("span", { class: "quiet" }, String(label)) : null),
      button("Discard", () => pending.discard(entry.object), { class: "button small" })),
    pending.failuresOf(entry.object).filter((failure) => !isShown(entry, failure.property)).map((failure) =>
      element("p", { class: "problem" }, failure.property ? `${failure.property}: ${failure.message}` : failure.message)),
    Object.keys(entry.set).length || entry.add || entry.remove ? element("table", { class: "difference" },
      element("caption", { class: "hidden-text" }, `Changes of ${name}`),
      element(
        "thead", { class: "hidden-text" },
        element("tr", {}, ["property", "before", "after"].map((title) => element("th", { scope: "col" }, title)))
      ),
      element(
        "tbody", {},
        Object.entries(entry.set).map(([property, value]) => differenceLine(entry, entity?.property(property), property, value)),
        memberLines(entry, entity)
      )) : null);
}

/** Whether a property has a line of its own, which shows its failure. */
const isShown = (entry, property) => [entry.set, entry.add, entry.remove].some((values) => property !== null && property in (values ?? {}));

/** The members that relationships lose and gain. */
function memberLines(entry, entity) {
  const names = new Set([...Object.keys(entry.add ?? {}), ...Object.keys(entry.remove ?? {})]);
  const list = (objects) => objects.map((object) => element(
    "div", {}, referenceNode(partsOf(object).entity, object, session.labels)
  ));
  return [...names].map((name) => ({ name, ...pending.members(entry.object, name) }))
    .filter(({ added, removed }) => added.length + removed.length)
    .map(({ name, added, removed }) => element("tr", { class: pending.failuresOf(entry.object, name).length ? "failed" : null },
      element(
        "th", { scope: "row" }, name, element("span", { class: "property-type" }, ` ${entity?.property(name)?.typeText ?? ""}`)
      ),
      element("td", { class: "before" }, list(removed)), element("td", { class: "after" }, list(added),
        pending.failuresOf(entry.object, name).map((failure) => element("p", { class: "problem" }, failure.message)))));
}

function differenceLine(entry, property, name, value) {
  const failures = pending.failuresOf(entry.object, name);
  return element("tr", { class: failures.length ? "failed" : null },
    element("th", { scope: "row" }, name),
    element(
      "td", { class: "before" },
      entry.kind === "insert" ? element("span", { class: "null" }, "new") : valueNode(entry.base[name], property, session.labels)
    ),
    element(
      "td", { class: "after" }, valueNode(value, property, session.labels),
      failures.map((failure) => element("p", { class: "problem" }, failure.message))
    ));
}

let isReviewing = false;

/** Shows what the changes would do, including what a cascade deletes; then saves them, if the person agrees. */
export async function reviewAndSave(message) {
  // A second save that begins before the first one has ended would add the new objects twice.
  if (isReviewing) return;
  isReviewing = true;
  // An edit of an object that is on its way would be lost when the save has ended, so the page takes no input until then.
  const unblock = blockInput();
  try { await review(message); } finally {
    isReviewing = false;
    unblock();
  }
}

async function review(message) {
  // An edit replaces the entries, so what is saved is what the dialog has shown.
  const { entries } = pending;
  fill(message, loadingNode("Looking at what the changes do…"));
  try {
    const effect = await pending.preview(entries);
    fill(message);
    const answer = await showDialog("Save these changes?", effectNode(effect), [
      { label: "Not yet", result: null, hasFocus: effect.deleted.length > 0 },
      {
        label: effect.deleted.length ? `Save and delete ${counted(numberOf(effect, "deleted"), "object", "objects")}` : "Save",
        kind: effect.deleted.length ? "primary bad" : "primary", result: "save",
      },
    ]);
    if (answer !== "save") return;
    fill(message, loadingNode("Saving…"));
    const saved = await pending.save(entries);
    fill(message);
    session.labels.clear();
    toast(`Saved: ${effectText(saved)}.`, "good");
    loadCounts().catch(() => null);
  } catch (error) {
    fill(message);
    await explain(error, message);
  }
}

async function explain(error, message) {
  if (error.conflicts?.length) {
    const isResolved = await conflictDialog(error.conflicts);
    if (isResolved) await review(message);
  } else if (error.failures?.length) pending.fail(error.failures);
  else fill(message, errorNode(error));
}

/** The number of objects; the lists may be shorter. */
const numberOf = (effect, name) => Number(effect.counts?.[name] ?? effect[name].length);

const effectText = (effect) => [["inserted", "added"], ["updated", "changed"], ["deleted", "deleted"]]
  .filter(([name]) => numberOf(effect, name) > 0).map(([name, verb]) => `${numberOf(effect, name)} ${verb}`).join(", ") || "nothing";

function effectNode(effect) {
  const cascaded = effect.deleted.filter((item) => item.cause);
  const cascadedCount = numberOf(effect, "deleted") - (effect.deleted.length - cascaded.length);
  return element("div", { class: "stack" },
    element("p", {}, `${effectText(effect)}, in one transaction.`),
    cascaded.length > 0 ? element("div", { class: "notice bad" }, icon("warning"), element("div", {},
      element(
        "p", { class: "notice-title" },
        `The cascade deletes ${counted(cascadedCount, "more object", "more objects")}.`
      ), grouped(cascaded))) : null,
    effect.nullified.length ? element("details", {}, element(
      "summary", {}, `${counted(numberOf(effect, "nullified"), "reference becomes", "references become")} null`
    ),
      element(
        "ul", { class: "effects" },
        effect.nullified.slice(0, 500).map((item) => element("li", { class: "mono small" }, `${item.object}.${item.property}`))
      )) : null);
}

function grouped(items) {
  const groups = new Map();
  for (const item of items) {
    const name = `${partsOf(item.object).entity}, ${item.cause}`;
    groups.set(name, [...(groups.get(name) ?? []), item.object]);
  }
  return [...groups].map(([name, objects]) => element("details", {}, element(
    "summary", {}, `${counted(objects.length, "object", "objects")} of ${name}`
  ),
    element("ul", { class: "effects" }, objects.slice(0, 500).map((object) => element("li", { class: "mono small" }, object)))));
}
