// What every view shares: the store, its model, the counts of objects, and the names of objects that were seen.
import { get, setToken } from "./api.js";
import { Model } from "./model.js";

/** The state of the page. */
export const session = {
  studio: null,
  model: null,
  counts: new Map(),
  labels: new Map(),
  lastEntity: null,
  get canWrite() { return Boolean(this.studio?.canWrite); },
};

/** Loads what every view needs. */
export async function startSession() {
  const [studio, model] = await Promise.all([get("studio"), get("model/show")]);
  session.studio = studio;
  setToken(studio.token);
  session.model = new Model(model);
}

/** Counts the objects of every entity; an entity with subentities has the sum. */
export async function loadCounts(signal) {
  const own = new Map((await get("inspect/counts", {}, signal)).rows.map((row) => [row.entity, Number(row.objects)]));
  const total = (entity) => (own.get(entity.name) ?? 0) + entity.subentities.reduce((sum, subentity) => sum + total(subentity), 0);
  session.counts = new Map(session.model.entities.map((entity) => [entity.name, total(entity)]));
  window.dispatchEvent(new Event("countschange"));
}

/** Returns the document of an object, at most `limit` keys of each to-many relationship. */
export async function loadObject(object, limit = 0, signal = undefined) {
  const document = await get("get", { object, limit }, signal);
  const label = session.model.entity(document.entity)?.label;
  const name = label ? document.properties[label.name] : null;
  if (name) session.labels.set(`${document.entity}:${document.id}`, name);
  return document;
}

/** Loads the names of objects that are not known yet; one that can't be loaded stays without a name. */
export async function loadLabels(objects, signal) {
  const missing = [...new Set(objects)].filter((object) => !session.labels.has(object));
  await Promise.all(missing.map((object) => loadObject(object, 0, signal).catch(() => null)));
}

/** Reads a setting of this browser. */
export function setting(name, fallback) {
  try { return JSON.parse(localStorage.getItem(`studio.${name}`)) ?? fallback; } catch { return fallback; }
}

/** Keeps a setting in this browser. */
export function keepSetting(name, value) {
  try { localStorage.setItem(`studio.${name}`, JSON.stringify(value)); } catch { /* Private windows may refuse it. */ }
}
