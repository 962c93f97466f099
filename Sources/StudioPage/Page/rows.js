// Loads pages of objects with the names of the objects that they refer to.
import { get } from "./api.js";
import { session } from "./session.js";

export const pageSizes = [25, 50, 100, 200];

/** The key of a sort order: `{name, isDescending}`. */
export const parseOrder = (text) => (text ?? "").split(",").map((key) => key.trim()).filter(Boolean).map((key) => {
  const [name, direction] = key.split(/\s+/);
  return { name, isDescending: /^desc/i.test(direction ?? "") };
});

const orderText = (keys) => keys.map((key) => `${key.name}${key.isDescending ? " DESC" : ""}`).join(", ");

/** The order after a click on a column: ascending, descending, none. With `isAdded` the other keys stay. */
export function nextOrder(text, name, isAdded) {
  const keys = parseOrder(text);
  const found = keys.find((key) => key.name === name);
  const others = isAdded ? keys.filter((key) => key !== found) : [];
  if (!found) return orderText([...others, { name, isDescending: false }]);
  return orderText(found.isDescending ? others : [...others, { name, isDescending: true }]);
}

/**
 * Loads a page of objects with the given columns: the document of `query`. If it can, one query fetches only what the columns show,
 * with the names of referenced objects and the numbers of members; then the page has `isWhole`, else `loadExtras` adds these.
 */
export async function loadPage(request, columns, signal) {
  if (request.entity.subentities.length || columns.some(isOpaque)) return query(request, null, signal);
  const page = await query(
    request, [...columns.filter((property) => property.isAttribute).map((property) => property.name), ...extraFields(columns)],
    signal
  );
  rememberLabels(page.rows, columns);
  return { ...page, rows: page.rows.map((row) => ({ ...row, id: row.SELF })), isWhole: true };
}

/** Adds the names of referenced objects and the numbers of members to the rows of a page. */
export async function loadExtras(request, columns, page, signal) {
  const fields = extraFields(columns);
  if (page.isWhole || fields.length === 1) return;
  const { rows } = await query(request, fields, signal);
  rememberLabels(rows, columns);
  const byKey = new Map(rows.map((row) => [String(row.SELF), row]));
  for (const row of page.rows) {
    const extras = byKey.get(String(row.id)) ?? {};
    for (const property of columns) if (property.isToMany) row[countName(property)] = extras[countName(property)];
  }
}

/**
 * The fields of an export that has the given columns, as `data export --fields` names them: a reference is the unique attribute of its
 * object. Those that an export can't have are left out: to-many and one-to-one relationships, and references without such an attribute.
 */
export const exportFields = (columns) => columns.flatMap((property) => {
  if (property.isAttribute) return property.declaration.transient ? [] : [property.name];
  const destination = session.model.entity(property.destination);
  if (property.isToMany || destination?.property(property.inverse)?.isReference) return [];
  const unique = (destination?.unique ?? []).filter((names) => names.length === 1 && destination.property(names[0])?.isAttribute);
  return unique.length ? [`${property.name}.${unique.map(([name]) => name).sort()[0]}`] : [];
});

/** The member of a row with the number of a relationship's members. */
export const countName = (property) => `${property.name}.@count`;

/** Values that a query can't fetch together with paths. */
const isOpaque = ({ type, declaration }) =>
  type === "codable" || declaration.external !== undefined || declaration.transformer !== undefined;

const labelOf = (property) => session.model.entity(property.destination)?.label ?? null;

function extraFields(columns) {
  return ["SELF", ...columns.flatMap((property) => {
    if (property.isToMany) return [countName(property)];
    if (!property.isReference) return [];
    return labelOf(property) ? [property.name, `${property.name}.${labelOf(property).name}`] : [property.name];
  })];
}

function query({ entity, where, order, limit, after, before }, fields, signal) {
  return get("query", { request: entity.name, where, order, limit, after, before, fields: fields?.join(",") }, signal);
}

/** Keeps the names of referenced objects, for all views. */
function rememberLabels(rows, columns) {
  for (const property of columns.filter((column) => column.isReference && labelOf(column))) for (const row of rows) {
    const name = row[`${property.name}.${labelOf(property).name}`];
    if (name) session.labels.set(`${property.destination}:${row[property.name]}`, name);
  }
}

/** Whether a column is shown before a person chooses: bytes and JSON may be long. */
export const isShownFirst = (property) => !["data", "codable"].includes(property.type);

/** The properties of an entity as columns: the name first, then plain attributes, references, long values and to-many counts. */
export function defaultColumns(entity) {
  const rank = (property) => {
    if (property === entity.label) return 0;
    if (property.isToMany) return 6;
    if (property.isReference) return 2;
    if (["uuid", "data", "codable"].includes(property.type)) return 5;
    if (property.name.includes(".")) return 3;
    return property.type === "url" ? 4 : 1;
  };
  return [...entity.properties].sort((first, second) => rank(first) - rank(second));
}
