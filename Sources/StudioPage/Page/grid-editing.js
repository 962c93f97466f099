// Changes objects in a grid: edits in place, and deletions.
import { announce } from "./dom.js";
import { focusEditor, makeEditor } from "./editor.js";
import { isEqual } from "./json.js";
import { pending } from "./pending.js";
import { loadObject } from "./session.js";
import { toast } from "./status.js";

/** The name of a row's object. */
export const objectOf = (row, entity) => row.object ?? `${row.entity ?? entity.name}:${row.id}`;

/**
 * Opens an editor in a cell. The object is loaded first, for its version, and because the grid may show older values.
 * Returns false if the property can't be edited in a grid.
 */
export function editCell(grid, row, object, property, cell) {
  if (!property || property.isToMany || !property.isEditable || pending.entry(object)?.kind === "delete") return false;
  open(grid, row, object, property, cell).catch((error) => toast(error.message, "bad"));
  return true;
}

async function open(grid, row, object, property, cell) {
  const document = pending.entry(object) ? null : await loadObject(object);
  if (document && !isEqual(document.properties[property.name], row[property.name])) {
    Object.assign(row, document.properties);
    grid.refresh(row);
    announce("The value was changed meanwhile; the newest one is shown.");
  }
  const place = cell.isConnected ? cell : grid.cellAt(grid.active.row, grid.active.column);
  const close = () => { grid.refresh(row); grid.focus(); };
  const editor = makeEditor(property, pending.value(object, property.name, row[property.name] ?? null), {
    isInline: true, label: `${property.name} of ${object}`, cancel: close,
    commit: (value) => {
      const isLeft = !place.contains(globalThis.document.activeElement);
      if (document || pending.entry(object)) pending.setValue(object, property.name, value, document);
      grid.refresh(row);
      if (!isLeft) grid.focus();
    },
  });
  place.classList.add("editing");
  place.append(editor);
  focusEditor(editor);
}

/** Marks an object for deletion, or takes the mark away. */
export async function toggleDeletion(object) {
  if (pending.entry(object)?.kind === "delete") return pending.discard(object);
  try {
    pending.remove(object, await loadObject(object));
  } catch (error) {
    toast(error.message, "bad");
  }
}

/** The classes and the title of a cell with a changed or rejected value. */
export function changeMarks(object, property, fetched) {
  const failures = pending.failuresOf(object, property.name);
  if (failures.length) return { className: "failed", title: failures.map((failure) => failure.message).join("\n") };
  return pending.has(object, property.name) ? { className: "changed", title: `was: ${fetched ?? "null"}` } : {};
}
