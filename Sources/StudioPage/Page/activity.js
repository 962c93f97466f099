// The document of `activity`: sessions, waits, what is held back, replicas, and the log.
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { emptyNode } from "./status.js";
import { table } from "./table.js";
import { ago, countText, sizeText } from "./values.js";

/** Makes the nodes that show the document. */
export function activityNodes(document) {
  return [
    facts(document),
    section("Waiting for locks", document.waits, [
      ["process", (row) => row.pid], ["waits for", (row) => row.target], ["mode", (row) => row.mode],
      ["blocked by", (row) => row.blockers.join(", ")], ["since", (row) => since(row.since)],
    ]),
    section("Held back", document.obstacles, [
      ["work", (row) => row.work], ["by", (row) => [row.kind, row.name].filter(Boolean).join(" ")],
      ["process", (row) => row.pid ?? "–"], ["since", (row) => since(row.since)], [
        "distance", (row) => row.distance === null ? "–" : countText(row.distance),
      ],
    ]),
    sessions(document.sessions),
    section("Replicas", document.replicas, [
      ["name", (row) => row.name], ["state", (row) => row.state ?? "–"], ["synchrony", (row) => row.synchrony ?? "–"],
      ["not sent", (row) => sizeText(row.missingBytes)], ["not applied", (row) => sizeText(row.unappliedBytes)],
      ["delay", (row) => row.lagMilliseconds === null ? "–" : `${countText(row.lagMilliseconds)} ms`],
    ]),
    section("Slow statements", document.statements, [
      ["calls", (row) => countText(row.calls)], ["total", (row) => `${countText(row.totalMilliseconds)} ms`],
      ["mean", (row) => `${countText(row.meanMicroseconds)} µs`], ["statement", (row) => row.statement ?? "hidden", "code"],
    ]),
    document.limits?.length ? element(
      "ul", { class: "quiet small plain-list" }, document.limits.map((sentence) => element("li", {}, sentence))
    ) : null,
  ];
}

const since = (date) => date ? element("time", { datetime: date, title: date }, ago(date)) : "–";

function facts(document) {
  const lines = [
    ["size", document.bytes === null ? null : sizeText(document.bytes)],
    ["connections", document.connections ? `${document.connections.used} of ${document.connections.limit}` : null],
    ["log", document.log?.bytes === null || !document.log ? null : sizeText(document.log.bytes)],
    [
      "not checkpointed",
      document.log?.uncopiedPages === null || !document.log ? null : `${countText(document.log.uncopiedPages)} pages`,
    ],
    ["free pages", document.pages?.free === null || !document.pages ? null : countText(document.pages.free)],
    ["writing", document.writing === null || document.writing === undefined ? null : document.writing ? "yes" : "no"],
  ].filter(([, value]) => value !== null && value !== undefined);
  return element(
    "dl", { class: "facts" }, lines.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))
  );
}

function section(title, rows, columns) {
  if (!rows?.length) return null;
  return element("section", {}, element("h3", {}, title, element("span", { class: "count" }, String(rows.length))),
    table(columns.map(([name, value, className]) => ({ title: name, value, className })), rows, title));
}

function sessions(rows) {
  if (!rows?.length) return emptyNode("No other session is known.");
  return section("Sessions", rows.map((row) => ({
    ...row, className: row.blockers?.length ? "blocked" : row.own ? "quiet" : null,
  })), [
    ["process", (row) => row.pid],
    ["program", (row) => [row.program ?? "–", row.own ? element("span", { class: "chip" }, "this page") : null]],
    ["user", (row) => row.user ?? "–"],
    ["state", (row) => [row.state ?? "–", row.wait ? element("span", { class: "quiet" }, ` ${row.wait}`) : null]],
    ["transaction", (row) => transaction(row.transactionMilliseconds)],
    ["blocked by", (row) => row.blockers?.length ? [icon("warning"), row.blockers.join(", ")] : ""],
    ...(rows.some((row) => row.statement) ? [["statement", (row) => row.statement ?? "", "code"]] : []),
  ]);
}

function transaction(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "";
  const seconds = Number(milliseconds) / 1000;
  return seconds >= 1 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds * 1000)} ms`;
}
