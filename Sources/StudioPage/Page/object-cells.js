// The columns and cells of a grid of objects.
import { chosenColumns } from "./columns-menu.js";
import { element } from "./dom.js";
import { changeMarks, objectOf } from "./grid-editing.js";
import { pending } from "./pending.js";
import { link } from "./router.js";
import { countName, nextOrder, parseOrder } from "./rows.js";
import { session } from "./session.js";
import { cellClass, countText, valueNode, valueText } from "./values.js";

/** Makes the columns: the key, and the chosen properties. `sort(order)` is called when a person sorts. */
export function objectColumns(entity, order, sort) {
  const keys = parseOrder(order);
  const makeColumn = (property) => {
    const key = keys.find(({ name }) => name === property.name);
    return {
      name: property.name, property, title: property.name, subtitle: property.typeText, className: cellClass(property),
      description: [property.typeText, ...property.rules].join(", "),
      order: key ? (key.isDescending ? "descending" : "ascending") : null,
      onSort: property.isSortable ? (isAdded) => sort(nextOrder(order, property.name, isAdded)) : null,
    };
  };
  const key = {
    name: "id", property: null, title: "id", subtitle: entity.subentities.length ? "entity:key" : "key", className: "key-column",
  };
  return [key, ...chosenColumns(entity).map(makeColumn)];
}

/** The property of a row's own entity, which knows the entity that a reference is edited with. */
export const propertyOf = (entity, row, column) =>
  column.property && session.model.entity(row.entity ?? entity.name)?.property(column.name);

/** Fills a cell. */
export function objectCell(entity, row, { name, property }) {
  const object = objectOf(row, entity);
  if (!property) {
    return { content: element(
      "a", { href: link("object", object), tabindex: "-1" }, entity.subentities.length ? object : String(row.id)
    ) };
  }
  if (property.isToMany) {
    const count = row[countName(property)];
    return { content: count === undefined ? "" : countText(count) };
  }
  const value = pending.value(object, name, row[name]);
  return {
    content: valueNode(value, property, session.labels), ...changeMarks(object, property, valueText(row[name], property)),
  };
}

/** The class of a row: one that will be deleted is struck through. */
export const objectRowClass = (entity, row) => pending.entry(objectOf(row, entity))?.kind === "delete" ? "deleted" : "";
