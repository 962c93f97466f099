// The size of the database, its tables, indexes and settings.
import { get } from "./api.js";
import { element, fill } from "./dom.js";
import { fillLater } from "./status.js";
import { table } from "./table.js";
import { countText, dateText, sizeText } from "./values.js";

/** Shows the view. */
export function showSizes(root, place, signal) {
  const section = (title, load) => {
    const content = element("div", { class: "stack" });
    fillLater(content, signal, load);
    return element("section", { class: "card" }, element("header", { class: "card-header" }, element("h2", {}, title)), content);
  };
  fill(root, element("div", { class: "view" },
    element("header", { class: "view-header" }, element("h1", {}, "Sizes and settings")),
    section("Store", () => facts(signal)), section("Tables", () => tables(signal)),
    section("Indexes", () => indexes(signal)), section("Settings", () => settings(signal))));
}

async function facts(signal) {
  const status = await get("status", {}, signal);
  const objects = status.objects ? Object.values(status.objects).reduce((sum, count) => sum + Number(count), 0) : null;
  const lines = [
    [
      "database", `${status.server.product} ${status.server.version}`,
    ], ["size", sizeText(status.bytes)], ["objects", objects === null ? "–" : countText(objects)],
    ["last save", status.saves.last === null ? "none" : `#${status.saves.last}, ${dateText(status.saves.date)}`],
    ["model", `V${status.model.number}, ${status.model.fingerprint.slice(0, 12)}`], ["store id", status.id ?? "–"],
    ["migration lock", status.lock.held ? status.lock.holder ?? "held" : "free"],
    ...(status.unfinished ? [["unfinished", status.unfinished]] : []),
  ];
  return [
    element(
      "dl", { class: "facts" },
      lines.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))
    ),
    status.next.length ? element(
      "p", {}, "Next: ", status.next.map((command) => element("code", { class: "command" }, command))
    ) : null,
  ];
}

async function tables(signal) {
  const { rows } = await get("inspect/sizes", {}, signal);
  const total = (row) => Number(row.bytes ?? 0) + Number(row.indexBytes ?? 0);
  const largest = Math.max(1, ...rows.map(total));
  const share = (bytes) => ({ width: `${(100 * Number(bytes ?? 0) / largest).toFixed(2)}%` });
  return table([
    { title: "table", className: "mono", value: (row) => row.table }, { title: "holds", value: (row) => row.holds },
    { title: "rows", isNumber: true, value: (row) => sizeText(row.bytes) }, {
      title: "indexes", isNumber: true, value: (row) => sizeText(row.indexBytes),
    },
    { title: "share", className: "bar-cell", value: (row) => element("div", { class: "bar", "aria-hidden": "true" },
      element("span", { class: "bar-rows", style: share(row.bytes) }), element(
        "span", { class: "bar-indexes", style: share(row.indexBytes) }
      )) },
  ], [...rows].sort((first, second) => total(second) - total(first)), "Sizes of the tables");
}

async function indexes(signal) {
  const { rows } = await get("inspect/indexes", {}, signal);
  return table([
    {
      title: "index", className: "mono", value: (row) => row.index,
    }, { title: "table", className: "mono", value: (row) => row.table },
    { title: "unique", value: (row) => row.unique ? "unique" : "" }, {
      title: "size", isNumber: true, value: (row) => sizeText(row.bytes),
    },
    { title: "definition", className: "code", value: (row) => row.definition },
  ], rows, "Indexes");
}

async function settings(signal) {
  const { rows } = await get("inspect/settings", {}, signal);
  return table([
    {
      title: "setting", className: "mono", value: (row) => row.setting,
    }, { title: "value", className: "mono", value: (row) => row.value },
  ], rows, "Settings of the database");
}
