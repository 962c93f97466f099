// The members of a to-many relationship, page by page.
import { get } from "./api.js";
import { button, element, fill, iconButton } from "./dom.js";
import { focusEditor, makeEditor } from "./editor.js";
import { Grid } from "./grid.js";
import { changeMarks, editCell, objectOf } from "./grid-editing.js";
import { icon } from "./icons.js";
import { addObject } from "./new-object.js";
import { pending } from "./pending.js";
import { go, link } from "./router.js";
import { defaultColumns } from "./rows.js";
import { session } from "./session.js";
import { errorNode } from "./status.js";
import { cellClass, countText, referenceNode, valueNode, valueText } from "./values.js";

const limit = 10;

/** Shows the members of a relationship of the object that `get` returned. */
export function membersSection(document, property, signal) {
  return new Members(document, property, signal).node;
}

class Members {
  constructor(document, property, signal) {
    Object.assign(
      this,
      {
        document, property, signal, object: `${document.entity}:${document.id}`,
        entity: session.model.entity(property.destination),
      }
    );
    this.columns = [{ name: "id", title: "id", className: "key-column" }, ...this.properties().map((column) =>
      ({ name: column.name, property: column, title: column.name, className: cellClass(column) }))];
    this.grid = this.makeGrid();
    this.count = element(
      "span", { class: "count" }, document.toMany ? countText(document.toMany[property.name]?.count ?? 0) : null
    );
    this.changes = element("div");
    this.content = element("div", { class: "stack" });
    this.node = element("section", { class: "card" }, this.header(), this.changes, this.content);
    pending.addEventListener("change", () => this.showChanges(), { signal });
    this.showChanges();
    this.load({}, 0);
  }

  properties() {
    const isShown = (column) => !column.isToMany && column.name !== this.property.inverse && !["data", "codable", "uuid"].includes(column.type);
    return defaultColumns(this.entity).filter(isShown).slice(0, 7);
  }

  makeGrid() {
    return new Grid({
      label: this.property.name, cell: (row, column) => this.cell(row, column), rowClass: (row) => this.rowClass(row),
      handlers: {
        open: (row) => go("object", objectOf(row, this.entity)),
        copy: (row, column) => column.property ? valueText(row[column.name], column.property) : objectOf(row, this.entity),
        ...(session.canWrite ? {
          edit: (row, column, cell) => editCell(this.grid, row, objectOf(row, this.entity), column.property, cell),
          remove: (row) => this.setMember(objectOf(row, this.entity), this.isRemoved(row)),
        } : {}),
      },
    });
  }

  header() {
    const inverse = this.entity.property(this.property.inverse ?? "");
    const canAdd = session.canWrite && inverse?.isReference && !this.entity.isAbstract;
    return element("header", { class: "card-header" },
      element("h2", {}, this.property.name, this.count,
        element(
          "span", { class: "property-type" }, this.property.typeText,
          this.property.rules.map((rule) => element("span", { class: "rule" }, rule))
        )),
      session.canWrite ? element("div", { class: "toolbar" },
        button("Link…", () => this.chooseMember(), { title: `Add an existing ${this.entity.name}` }),
        canAdd ? button(
          [icon("plus"), `New ${this.entity.name}`], () => addObject(this.entity, { [inverse.name]: this.object })
        ) : null) : null);
  }

  setMember(target, isMember) { pending.setMember(this.object, this.property.name, target, isMember, this.document); }

  isRemoved(row) { return pending.members(this.object, this.property.name).removed.includes(objectOf(row, this.entity)); }

  chooseMember() {
    const close = () => { fill(this.changes); this.showChanges(); };
    const { name, destination, entity } = this.property;
    const reference = { name, destination, entity, type: destination, isReference: true, isOptional: false };
    const editor = makeEditor(reference, null, {
      label: `Object to add to ${this.property.name}`, cancel: close, commit: (target) => { close(); this.setMember(target, true); },
    });
    fill(this.changes, editor);
    focusEditor(editor);
  }

  showChanges() {
    if (this.changes.querySelector(".editor:focus-within")) return;
    const { added } = pending.members(this.object, this.property.name);
    fill(this.changes, added.length ? element("p", { class: "chips pending-members" }, "Will be added:", added.map((target) =>
      element("span", { class: "chip good" }, referenceNode(this.entity.name, target, session.labels),
        iconButton(icon("close"), `Don't add ${target}`, () => this.setMember(target, false))))) : null);
    this.grid.refreshAll();
  }

  async load(cursor, from) {
    try {
      const page = await get("related", { object: this.object, relationship: this.property.name, limit, ...cursor }, this.signal);
      fill(this.count, countText(page.count));
      this.show(page, from);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.content, errorNode(error));
    }
  }

  show(page, from) {
    if (page.rows.length === 0) return fill(this.content, element("p", { class: "quiet" }, "There are no members."));
    this.grid.show(this.columns, page.rows);
    const last = from + page.rows.length;
    const turn = (cursor, first) => () => this.load(cursor, Math.max(0, first));
    return fill(this.content, this.grid.node, page.next || page.previous ? element("footer", { class: "grid-footer" },
      element("p", { class: "quiet", role: "status" }, `${countText(from + 1)}–${countText(last)} of ${countText(page.count)}`),
      element("div", { class: "toolbar" },
        iconButton(
          icon("previous"), "Previous members", turn({ before: page.previous }, from - limit), { disabled: !page.previous }
        ),
        iconButton(icon("next"), "Next members", turn({ after: page.next }, last), { disabled: !page.next }))) : null);
  }

  cell(row, { name, property }) {
    const object = objectOf(row, this.entity);
    if (!property) return { content: element("a", { href: link("object", object), tabindex: "-1" }, object) };
    const value = pending.value(object, name, row[name]);
    return {
      content: valueNode(value, property, session.labels), ...changeMarks(object, property, valueText(row[name], property)),
    };
  }

  rowClass(row) {
    return this.isRemoved(row) || pending.entry(objectOf(row, this.entity))?.kind === "delete" ? "deleted" : "";
  }
}
