// The findings of doctor, check and drift.
import { get } from "./api.js";
import { button, element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { link } from "./router.js";
import { emptyNode, fillLater } from "./status.js";
import { table } from "./table.js";
import { counted } from "./values.js";

/** Shows the view. Checking every object may take minutes, so it waits for a button. */
export function showChecks(root, place, signal) {
  fill(root, element("div", { class: "view" },
    element("header", { class: "view-header" }, element("h1", {}, "Checks")),
    check("Doctor", "The configuration, the connection, the model and the database.", doctor, true, signal),
    check("Tables and model", "Differences between the store's tables and its model.", drift, true, signal),
    check(
      "Objects", "Damage, dangling references and objects that violate the model. This reads every object.", objects, false,
      signal
    )));
}

function check(title, description, load, isAutomatic, signal) {
  const content = element("div", { class: "stack" });
  const run = () => fillLater(content, signal, () => load(signal));
  const start = button([icon("refresh"), isAutomatic ? "Run again" : "Run"], run);
  if (isAutomatic) run(); else fill(content, element("p", { class: "quiet" }, "Not run yet."));
  return element("section", { class: "card" },
    element(
      "header", { class: "card-header" },
      element("div", {}, element("h2", {}, title), element("p", { class: "quiet" }, description)), start
    ), content);
}

async function doctor(signal) {
  const { rows } = await get("doctor", {}, signal);
  return element("ul", { class: "findings" }, rows.map((row) => element("li", { class: row.ok ? "good" : "bad" },
    icon(row.ok ? "done" : "warning"), element("span", { class: "hidden-text" }, row.ok ? "passed: " : "problem: "),
    element("span", { class: "finding-name" }, row.step),
    element("span", {}, row.finding, row.remedy ? element("span", { class: "quiet" }, ` ${row.remedy}`) : null))));
}

async function drift(signal) {
  const { rows } = await get("drift", {}, signal);
  if (rows.length === 0) return emptyNode("The tables match the model.", null, true);
  return element(
    "ul", { class: "findings" },
    rows.map((row) => element("li", { class: "bad" }, icon("warning"), element("span", {}, row.difference)))
  );
}

async function objects(signal) {
  const { rows } = await get("check", {}, signal);
  if (rows.length === 0) return emptyNode("No damage was found.", null, true);
  return [
    element(
      "p", {}, counted(rows.length, "finding", "findings"),
      element("span", { class: "quiet" }, " · plan a repair with storectl check --repair")
    ),
    table([
      { title: "kind", value: (row) => row.kind },
      { title: "object", value: (row) => row.object ? element("a", { href: link("object", row.object) }, row.object) : "–" },
      { title: "property", value: (row) => row.property ?? "–" }, { title: "finding", value: (row) => row.finding },
    ], rows, "Findings"),
  ];
}
