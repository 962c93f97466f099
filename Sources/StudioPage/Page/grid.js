// A table of cells that the keyboard moves in.
import { announce, element, fill } from "./dom.js";

/**
 * A grid. `columns` have `{name, title, subtitle, className, order, onSort, description}`, `order` is `ascending`, `descending` or null.
 * `cell(row, column)` fills a cell: it returns `{content, className, title}`; `handlers` react to keys in a cell:
 * `{open(row), edit(row, column, cell), remove(row), copy(row, column)}`, each optional.
 */
export class Grid {
  constructor({ label, cell, rowName, rowClass = () => "", handlers = {} }) {
    Object.assign(this, { label, cell, rowName, rowClass, handlers });
    this.columns = [];
    this.rows = [];
    this.active = { row: 0, column: 0 };
    this.head = element("thead");
    this.body = element("tbody");
    this.table = element("table", {
      class: "grid", role: "grid", "aria-label": label,
      onkeydown: (event) => this.press(event), onfocusin: (event) => this.follow(event.target),
      ondblclick: (event) => this.doubleClick(event),
    }, this.head, this.body);
    this.node = element("div", { class: "grid-frame" }, this.table);
  }

  /** Shows rows from the first one. */
  show(columns, rows, total = null) {
    this.columns = columns;
    this.rows = rows;
    this.table.setAttribute("aria-colcount", String(columns.length));
    this.table.setAttribute("aria-rowcount", String(total ?? -1));
    fill(this.head, element("tr", { role: "row" }, columns.map((column) => this.header(column))));
    fill(this.body, rows.map((row, index) => this.line(row, index)));
    this.active.row = Math.min(this.active.row, Math.max(0, rows.length - 1));
    this.active.column = Math.min(this.active.column, Math.max(0, columns.length - 1));
    this.mark();
  }

  /** Shows the cells of one row again. */
  refresh(row) {
    const index = this.rows.indexOf(row);
    if (index < 0) return;
    const hadFocus = this.body.rows[index].contains(document.activeElement);
    this.body.rows[index].replaceWith(this.line(row, index));
    this.mark();
    if (hadFocus) this.focus();
  }

  refreshAll() { this.rows.forEach((row) => this.refresh(row)); }

  header(column) {
    const arrow = column.order ? element(
      "span", { class: "sort-arrow", "aria-hidden": "true" }, column.order === "ascending" ? "↑" : "↓"
    ) : null;
    const label = [
      element("span", { class: "column-title" }, column.title, arrow),
      column.subtitle ? element("span", { class: "column-type" }, column.subtitle) : null,
    ];
    return element("th", {
      scope: "col", role: "columnheader", class: column.className, title: column.description,
      "aria-sort": column.order ?? (column.onSort ? "none" : null),
    }, column.onSort ? element(
      "button", { type: "button", class: "sort-button", onclick: (event) => column.onSort(event.shiftKey) }, label
    )
      : element("span", { class: "sort-button" }, label));
  }

  line(row, index) {
    return element("tr", { role: "row", class: this.rowClass(row) || null }, this.columns.map((column, at) => {
      const { content, className, title } = this.cell(row, column);
      return element("td", {
        role: at === 0 ? "rowheader" : "gridcell", tabindex: "-1", title,
        class: [column.className, className].filter(Boolean).join(" ") || null,
        data: { row: index, column: at },
      }, content);
    }));
  }

  cellAt(row, column) { return this.body.rows[row]?.cells[column] ?? null; }

  /** Focuses the active cell. */
  focus() { this.cellAt(this.active.row, this.active.column)?.focus(); }

  /** Makes the active cell the one that the tabulator key reaches. */
  mark() {
    this.body.querySelectorAll("td[tabindex='0']").forEach((cell) => cell.setAttribute("tabindex", "-1"));
    this.cellAt(this.active.row, this.active.column)?.setAttribute("tabindex", "0");
  }

  follow(target) {
    const cell = target.closest("td");
    if (!cell) return;
    this.active = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    this.mark();
  }

  doubleClick(event) {
    const cell = event.target.closest("td");
    if (!cell || event.target.closest("a, .editor")) return;
    this.follow(cell);
    this.edit();
  }

  edit() {
    const { row, column } = this.active;
    const isEdited = this.handlers.edit?.(this.rows[row], this.columns[column], this.cellAt(row, column));
    if (!isEdited) this.handlers.open?.(this.rows[row]);
  }

  press(event) {
    if (event.target.tagName !== "TD") return;
    const { row, column } = this.active;
    const last = { row: this.rows.length - 1, column: this.columns.length - 1 };
    const isAll = event.ctrlKey || event.metaKey;
    const moves = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [isAll ? 0 : row, 0], End: [isAll ? last.row : row, last.column], PageUp: [row - 10, column], PageDown: [row + 10, column],
    };
    if (event.key in moves && !event.altKey) this.move(...moves[event.key], last);
    else if (isAll || event.altKey) return;
    else if (event.key === "Enter") this.pressEnter();
    else if (event.key === "F2" && this.handlers.edit) this.edit();
    else if (event.key === "o") this.handlers.open?.(this.rows[row]);
    else if (event.key === "s") this.columns[column].onSort?.(false);
    else if (event.key === "c" && this.handlers.copy) this.copy();
    else if (event.key === "Delete" && this.handlers.remove) this.handlers.remove(this.rows[row]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  pressEnter() {
    const linked = this.cellAt(this.active.row, this.active.column)?.querySelector("a");
    if (linked && !this.handlers.edit) linked.click(); else this.edit();
  }

  async copy() {
    const text = this.handlers.copy(this.rows[this.active.row], this.columns[this.active.column]);
    await navigator.clipboard?.writeText(text);
    announce("Copied.");
  }

  move(row, column, last) {
    this.active = { row: Math.max(0, Math.min(row, last.row)), column: Math.max(0, Math.min(column, last.column)) };
    this.mark();
    this.focus();
    this.cellAt(this.active.row, this.active.column)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
