// The objects of an entity in a grid.
import { address, get } from "./api.js";
import { chooseColumns } from "./columns-menu.js";
import { button, element, fill, iconButton } from "./dom.js";
import { explainRequest } from "./explain.js";
import { FilterLine } from "./filter-line.js";
import { Grid } from "./grid.js";
import { editCell, objectOf, toggleDeletion } from "./grid-editing.js";
import { icon } from "./icons.js";
import { setAction } from "./keyboard.js";
import { addObject } from "./new-object.js";
import { objectCell, objectColumns, objectRowClass, propertyOf } from "./object-cells.js";
import { pending } from "./pending.js";
import { go, link } from "./router.js";
import { exportFields, loadExtras, loadPage, pageSizes } from "./rows.js";
import { keepSetting, loadCounts, session, setting } from "./session.js";
import { emptyNode, errorNode } from "./status.js";
import { countText, counted, valueText } from "./values.js";

/** Shows the view; returns a function that shows other parameters of the same entity. */
export function showObjects(root, place, signal) {
  const entity = session.model.entity(place.part);
  if (!entity) {
    fill(root, emptyNode(`The model has no entity ${place.part}.`));
    return null;
  }
  session.lastEntity = entity.name;
  const view = new ObjectsView(entity, signal);
  fill(root, view.nodes());
  view.update(place.parameters);
  return (other) => view.update(other.parameters);
}

class ObjectsView {
  constructor(entity, signal) {
    Object.assign(this, { entity, signal });
    this.filter = new FilterLine(entity, (where) => this.change({ where }), () => this.grid.focus());
    this.grid = new Grid({
      label: `Objects of ${entity.name}`,
      cell: (row, column) => objectCell(entity, row, column), rowClass: (row) => objectRowClass(entity, row),
      handlers: {
        open: (row) => go("object", objectOf(row, entity)),
        copy: (row, column) => column.property ? valueText(row[column.name], column.property) : objectOf(row, entity),
        ...(session.canWrite ? {
          edit: (row, column, cell) => editCell(this.grid, row, objectOf(row, entity), propertyOf(entity, row, column), cell),
          remove: (row) => toggleDeletion(objectOf(row, entity)),
        } : {}),
      },
    });
    this.message = element("div", { class: "grid-message" });
    this.position = element("p", { class: "quiet", role: "status" });
    pending.addEventListener("change", () => this.grid.refreshAll(), { signal });
    this.addActions();
  }

  addActions() {
    setAction("/", () => this.filter.focus());
    setAction("ArrowDown", () => this.grid.focus());
    setAction("]", () => this.turn("next"));
    setAction("[", () => this.turn("previous"));
    if (session.canWrite && !this.entity.isAbstract) setAction("a", () => addObject(this.entity));
  }

  nodes() {
    return element(
      "div", { class: "view objects-view" }, this.header(), this.filter.node, this.message, this.grid.node, this.footer()
    );
  }

  header() {
    this.count = element("span", { class: "count" });
    const related = [this.entity.superentity, ...this.entity.subentities].filter(Boolean);
    const tools = [
      session.canWrite && !this.entity.isAbstract ? button(
        [icon("plus"), "Add"], () => addObject(this.entity), { title: "Add an object (a)" }
      ) : null,
      button([icon("columns"), "Columns"], () => chooseColumns(this.entity, () => this.load())),
      button("Explain", () => explainRequest(this.entity, this.parameters)),
      this.exportLink("csv", "CSV"), this.exportLink("jsonl", "JSON Lines"),
    ];
    return element("header", { class: "view-header" },
      element("div", {}, element("h1", {}, this.entity.name, this.count),
        related.length ? element("p", { class: "chips" }, related.map((other) => element("a", {
          class: "chip", href: link("objects", other.name), title: other === this.entity.superentity ? "superentity" : "subentity",
        }, `${other === this.entity.superentity ? "↑ " : "↳ "}${other.name}`))) : null),
      element("div", { class: "toolbar" }, tools));
  }

  exportLink(format, label) {
    return element("a", {
      class: "button", href: "#", download: `${this.entity.name}.${format}`, title: `Export the shown columns of all rows as ${label}`,
      onclick: (event) => { event.currentTarget.href = this.exportAddress(format); },
    }, label);
  }

  exportAddress(format) {
    const { where, order } = this.parameters;
    const fields = exportFields(this.columns.map((column) => column.property).filter(Boolean));
    return address("export", { request: this.entity.name, where, order, format, fields: fields.join(",") });
  }

  footer() {
    const sizes = element("select", { class: "input small", "aria-label": "Rows of a page", onchange: (event) => {
      keepSetting("pageSize", Number(event.target.value));
      this.change({});
    } }, pageSizes.map((size) => element("option", { value: size, selected: size === this.limit }, `${size} rows`)));
    this.turners = {
      previous: iconButton(icon("previous"), "Previous page ([)", () => this.turn("previous")),
      next: iconButton(icon("next"), "Next page (])", () => this.turn("next")),
    };
    return element("footer", { class: "grid-footer" }, this.position,
      element(
        "div", { class: "toolbar" }, sizes, iconButton(icon("refresh"), "Load again", () => this.load()), this.turners.previous,
        this.turners.next
      ));
  }

  get limit() { return setting("pageSize", 50); }

  /** Goes to the first page with other parameters. */
  change(parameters) { go(
    "objects", this.entity.name, { where: this.parameters.where, order: this.parameters.order, ...parameters }
  ); }

  turn(direction) {
    const cursor = this.page?.[direction];
    if (!cursor) return;
    const from = Math.max(0, this.from + (direction === "next" ? this.page.rows.length : -this.limit));
    const { where, order } = this.parameters;
    go("objects", this.entity.name, { where, order, [direction === "next" ? "after" : "before"]: cursor, from: from || null });
  }

  update(parameters) {
    this.parameters = parameters;
    this.from = Number(parameters.from ?? 0);
    this.filter.text = parameters.where ?? "";
    this.load();
    return true;
  }

  async load() {
    this.aborter?.abort();
    this.aborter = new AbortController();
    const signal = AbortSignal.any([this.signal, this.aborter.signal]);
    const { where, order, after, before } = this.parameters;
    const request = { entity: this.entity, where, order, after, before, limit: this.limit };
    this.columns = objectColumns(this.entity, order, (next) => this.change({ order: next }));
    this.grid.node.setAttribute("aria-busy", "true");
    const started = performance.now();
    try {
      const properties = this.columns.map((column) => column.property).filter(Boolean);
      this.page = await loadPage(request, properties, signal);
      this.milliseconds = performance.now() - started;
      this.filter.show(null);
      this.show();
      await Promise.all([this.loadCount(signal), this.loadExtras(request, properties, signal)]);
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    } finally {
      if (!signal.aborted) this.grid.node.removeAttribute("aria-busy");
    }
  }

  fail(error) {
    if (error.status === 400 && this.parameters.where) this.filter.show(error);
    else fill(this.message, errorNode(error));
  }

  show() {
    const { rows, next, previous } = this.page;
    fill(
      this.message,
      rows.length ? null : emptyNode(this.parameters.where ? "No object fits the filter." : `There are no objects of ${this.entity.name}.`)
    );
    this.grid.show(this.columns, rows);
    this.turners.previous.disabled = !previous;
    this.turners.next.disabled = !next;
    this.showPosition();
  }

  showPosition(total = null) {
    const { rows } = this.page;
    const range = rows.length ? `${countText(this.from + 1)}–${countText(this.from + rows.length)}` : "0";
    const time = `${Math.round(this.milliseconds)} ms`;
    fill(this.position, total === null ? `${range} · ${time}` : `${range} of ${countText(total)} · ${time}`);
  }

  async loadCount(signal) {
    const { count } = await get("count", { request: this.entity.name, where: this.parameters.where }, signal);
    this.showPosition(count);
    fill(this.count, this.parameters.where ? counted(count, "match", "matches") : countText(count));
    if (!this.parameters.where && Number(count) !== session.counts.get(this.entity.name)) loadCounts().catch(() => null);
  }

  async loadExtras(request, properties, signal) {
    const { page } = this;
    await loadExtras(request, properties, page, signal).catch((error) => { if (error.name === "AbortError") throw error; });
    // An editor that is open stays open.
    if (!page.isWhole && !this.grid.body.querySelector(".editor")) this.grid.refreshAll();
  }
}
