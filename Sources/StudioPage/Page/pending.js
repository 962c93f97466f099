// The changes that are not saved yet, with undo.
import { sendChanges } from "./api.js";
import { isEqual, writeJSON } from "./json.js";

/**
 * A change of one object. `kind` is `update`, `insert` or `delete`; `base` has the values that were fetched with `version`,
 * `set` the new ones. A change is never modified: each edit replaces it, so that undo only has to keep the old map.
 */
class PendingChanges extends EventTarget {
  entries = new Map();
  failures = [];
  past = [];
  future = [];
  inserted = 0;

  get count() { return this.entries.size; }
  get canUndo() { return this.past.length > 0; }
  get canRedo() { return this.future.length > 0; }

  entry(object) { return this.entries.get(object) ?? null; }

  /** Whether a property of an object has a new value. */
  has(object, property) { return this.entry(object)?.set !== undefined && property in this.entry(object).set; }

  /** The new value of a property, or the one that was fetched. */
  value(object, property, fetched) { return this.has(object, property) ? this.entry(object).set[property] : fetched; }

  /** Changes a property; a value equal to the fetched one removes the change. `document` is the object as `get` returns it. */
  setValue(object, property, value, document = null) {
    const entry = this.entry(object) ?? newUpdate(object, document);
    const set = { ...entry.set, [property]: value };
    if (entry.kind === "update" && isEqual(value, entry.base[property])) delete set[property];
    this.replace(object, isEmptyUpdate({ ...entry, set }) ? null : { ...entry, set });
  }

  /** Removes a value that was set. */
  unset(object, property) {
    const entry = this.entry(object);
    const set = { ...entry.set };
    delete set[property];
    this.replace(object, isEmptyUpdate({ ...entry, set }) ? null : { ...entry, set });
  }

  /** Adds members to a to-many relationship, or removes some; doing the opposite takes the change back. */
  setMember(object, relationship, target, isMember, document) {
    const entry = this.entry(object) ?? newUpdate(object, document);
    const [members, opposite] = isMember ? ["add", "remove"] : ["remove", "add"];
    const without = (list) => (list ?? []).filter((item) => item !== target);
    const wasOpposite = entry[opposite]?.[relationship]?.includes(target);
    const changed = {
      ...entry, [opposite]: { ...entry[opposite], [relationship]: without(entry[opposite]?.[relationship]) },
      [members]: {
        ...entry[members],
        [relationship]: wasOpposite ? without(entry[members]?.[relationship]) : [
          ...without(entry[members]?.[relationship]), target,
        ],
      },
    };
    this.replace(object, isEmptyUpdate(changed) ? null : changed);
  }

  /** The members that a relationship gains and loses. */
  members(object, relationship) {
    const entry = this.entry(object);
    return { added: entry?.add?.[relationship] ?? [], removed: entry?.remove?.[relationship] ?? [] };
  }

  /** Adds an object; returns its provisional name. */
  insert(entity, set = {}) {
    this.inserted += 1;
    const object = `new${this.inserted}`;
    this.replace(object, { kind: "insert", object, entity, version: null, base: {}, set });
    return object;
  }

  /** Deletes an object; an object that isn't saved yet is forgotten. */
  remove(object, document) {
    if (this.entry(object)?.kind === "insert") return this.replace(object, null);
    this.replace(
      object, { kind: "delete", object, entity: document.entity, version: document.version, base: document.properties, set: {} }
    );
  }

  /** Discards the changes of an object. */
  discard(object) { this.replace(object, null); }

  /** Continues from a newer version of an object, with the properties whose new values `keeps(name)`; null discards the change. */
  rebase(object, document, keeps) {
    const entry = this.entry(object);
    const kept = (members) => Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => keeps(name)));
    const changed = {
      ...entry, version: document?.version, base: document?.properties,
      set: kept(entry.set), add: kept(entry.add), remove: kept(entry.remove),
    };
    this.replace(object, !document || isEmptyUpdate(changed) ? null : changed);
  }

  replace(object, entry) {
    this.past.push(this.entries);
    this.future = [];
    const entries = new Map(this.entries);
    if (entry) entries.set(object, entry); else entries.delete(object);
    this.show(entries, this.failures.filter((failure) => failure.object !== object));
  }

  undo() {
    if (!this.canUndo) return;
    this.future.push(this.entries);
    this.show(this.past.pop(), []);
  }

  redo() {
    if (!this.canRedo) return;
    this.past.push(this.entries);
    this.show(this.future.pop(), []);
  }

  /** Discards everything, which can be undone. */
  discardAll() {
    this.past.push(this.entries);
    this.future = [];
    this.show(new Map(), []);
  }

  /** Forgets what was saved, and the steps that undo it; a change that came since then stays. */
  forget(saved = this.entries) {
    this.past = [];
    this.future = [];
    this.show(new Map([...this.entries].filter(([object, entry]) => saved.get(object) !== entry)), []);
  }

  show(entries, failures) {
    this.entries = entries;
    this.failures = failures;
    this.dispatchEvent(new Event("change"));
  }

  /** Shows the validation failures that the server answered with; a place such as `changes[1].set.score` names the change. */
  fail(failures) {
    const ordered = inOrder(this.entries);
    this.show(this.entries, failures.map((failure) => {
      const index = /^changes\[(\d+)\]/.exec(failure.place ?? "")?.[1];
      return { ...failure, object: ordered[index]?.object ?? failure.object };
    }));
  }

  /** The failures of an object, or of one of its properties; a unique constraint fails for several. */
  failuresOf(object, property = undefined) {
    return this.failures.filter((failure) =>
      failure.object === object && (property === undefined || failure.property?.split(", ").includes(property)));
  }

  /** The changes of entries as they are sent. */
  changes(entries = this.entries) { return inOrder(entries).map(changeOf); }

  /** Asks what entries would do, such as what a cascade takes. */
  preview(entries) { return sendChanges(this.changes(entries), true); }

  /** Saves entries as one. */
  async save(entries) {
    const answer = await sendChanges(this.changes(entries), false);
    this.forget(entries);
    return answer;
  }
}

/** The entries in the order in which they are sent: new objects first, because others may refer to them. */
function inOrder(entries) {
  const order = { insert: 0, update: 1, delete: 2 };
  return [...entries.values()].sort((first, second) => order[first.kind] - order[second.kind]);
}

const newUpdate = (object, document) =>
  ({ kind: "update", object, entity: document.entity, version: document.version, base: document.properties, set: {} });

const hasMembers = (entry) => [entry.add, entry.remove].some((lists) => Object.values(lists ?? {}).some((list) => list.length));

const isEmptyUpdate = (entry) => entry.kind === "update" && Object.keys(entry.set).length === 0 && !hasMembers(entry);

/** The values that a person may have looked at before deleting an object, without members and without long values. */
const shortValues = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value) && writeJSON(value).length < 1000));

/** A change as the command `change` reads it. `base` lets it show what a conflict is about. */
function changeOf(entry) {
  const members = Object.fromEntries(["add", "remove"].map((verb) =>
    [verb, Object.fromEntries(Object.entries(entry[verb] ?? {}).filter(([, list]) => list.length))]));
  const lists = Object.fromEntries(Object.entries(members).filter(([, object]) => Object.keys(object).length));
  if (entry.kind === "insert") return { insert: entry.entity, as: entry.object, set: entry.set, ...lists };
  if (entry.kind === "delete") return { delete: entry.object, version: entry.version, base: shortValues(entry.base) };
  const base = Object.fromEntries(Object.keys(entry.set).map((name) => [name, entry.base[name] ?? null]));
  return { update: entry.object, version: entry.version, set: entry.set, base, ...lists };
}

export const pending = new PendingChanges();
