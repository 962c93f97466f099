// Shows how the database runs a request, and which indexes would help.
import { get } from "./api.js";
import { showDialog } from "./dialog.js";
import { element } from "./dom.js";
import { codeBlock } from "./code.js";
import { fillLater } from "./status.js";
import { table } from "./table.js";

/** Shows the SQL and the query plan of a grid's request. */
export function explainRequest(entity, { where, order }) {
  const body = element("div", { class: "stack" });
  fillLater(body, null, async () => {
    const document = await get("advise", { request: entity.name, where, order });
    return [
      element("h3", {}, "SQL"), codeBlock(document.statement ?? "This backend has no SQL."),
      element("h3", {}, "Query plan"), codeBlock(document.steps.join("\n")),
      element("h3", {}, "Indexes"),
      document.rows.length ? table([
        { title: "index", value: (row) => `${row.entity} (${row.index})` }, { title: "for", value: (row) => row.for },
        { title: "exists", value: (row) => row.exists ? "yes" : "no" },
      ], document.rows, "Indexes for the request") : element("p", { class: "quiet" }, "No index would help this request."),
    ];
  });
  showDialog(`How ${entity.name} is fetched`, body, [], "wide");
}
