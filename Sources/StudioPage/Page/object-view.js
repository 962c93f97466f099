// One object: its values, the members of its relationships, and its history.
import { get } from "./api.js";
import { button, element, fill } from "./dom.js";
import { toggleDeletion } from "./grid-editing.js";
import { icon } from "./icons.js";
import { membersSection } from "./members.js";
import { showNewObject } from "./new-object.js";
import { pending } from "./pending.js";
import { propertyList } from "./property-list.js";
import { referenceText } from "./reading.js";
import { link } from "./router.js";
import { loadLabels, loadObject, session } from "./session.js";
import { timeLine } from "./saves-list.js";
import { emptyNode, fillLater } from "./status.js";

/** Shows an object, or the form of one that isn't saved yet. */
export function showObject(root, place, signal) {
  const object = place.part ?? "";
  if (/^new\d+$/.test(object)) return showNewObject(root, object, signal);
  return fillLater(root, signal, async () => {
    const document = await loadObject(object, 0, signal);
    await loadLabels(references(document), signal);
    return savedObject(document, signal);
  });
}

function references(document) {
  const properties = session.model.entity(document.entity).properties.filter((property) => property.isReference);
  return properties.filter((property) => document.properties[property.name] !== null)
    .map((property) => referenceText(property, document.properties[property.name]));
}

function savedObject(document, signal) {
  const entity = session.model.entity(document.entity);
  const object = `${document.entity}:${document.id}`;
  const values = element("section", { class: "card" });
  const actions = element("div", { class: "toolbar" });
  const show = () => {
    const isDeleted = pending.entry(object)?.kind === "delete";
    values.classList.toggle("deleted", isDeleted);
    if (!values.querySelector(".editor")) fill(values, propertyList(object, document));
    fill(
      actions,
      session.canWrite ? button(
        isDeleted ? [icon("undo"), "Keep"] : [icon("trash"), "Delete"], () => toggleDeletion(object),
        { class: `button ${isDeleted ? "" : "bad"}` }
      ) : null
    );
  };
  pending.addEventListener("change", show, { signal });
  show();
  return element("div", { class: "view" },
    header(entity, [document.properties[entity.label?.name] ?? object], `${object} · version ${document.version}`, actions),
    element("div", { class: "columns" },
      element("div", { class: "stack" }, values,
        entity.properties.filter((property) => property.isToMany)
          .map((property) => membersSection(document, property, signal))),
      historySection(object, signal)));
}

function header(entity, title, subtitle, actions) {
  return element("header", { class: "view-header" },
    element("div", {},
      element("p", { class: "crumbs" }, element("a", { href: link("objects", entity.name) }, entity.name)),
      element("h1", {}, title), element("p", { class: "quiet mono" }, subtitle)),
    actions);
}

function historySection(object, signal) {
  const content = element("div");
  fillLater(content, signal, async () => {
    const { rows } = await get("history/list", { object, limit: 20 }, signal);
    return rows.length ? timeLine(rows, { isCompact: true }) : emptyNode("The history has no saves of this object.");
  });
  return element(
    "section", { class: "card side-column" }, element("header", { class: "card-header" }, element("h2", {}, "History")), content
  );
}
