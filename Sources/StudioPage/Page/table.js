// Plain tables of documents.
import { element } from "./dom.js";

/**
 * Makes a table. A column is `{title, value(row), isNumber, className}`; `value` returns a node or a text.
 */
export function table(columns, rows, caption) {
  return element("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": caption },
    element("table", { class: "plain" },
      element("caption", { class: "hidden-text" }, caption),
      element("thead", {}, element("tr", {}, columns.map((column) =>
        element("th", { scope: "col", class: column.isNumber ? "number" : null }, column.title)))),
      element("tbody", {}, rows.map((row) => element("tr", { class: row.className ?? null }, columns.map((column) =>
        element(
          "td", { class: [column.isNumber ? "number" : "", column.className ?? ""].join(" ").trim() || null }, column.value(row)
        )))))));
}
