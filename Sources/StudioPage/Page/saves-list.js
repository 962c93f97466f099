// A list of saves, the newest first, by days.
import { element } from "./dom.js";
import { link } from "./router.js";
import { ago, countText, dateText } from "./values.js";

/** The saves that were shown, by their numbers, because the changes of a save don't contain its date and author. */
export const shownSaves = new Map();

export function rememberSaves(rows) { for (const row of rows) shownSaves.set(String(row.save), row); }

/** Makes a list of rows of `history list`. */
export function timeLine(rows, { isCompact = false } = {}) {
  rememberSaves(rows);
  const days = groupByDay([...rows].reverse());
  return element("div", { class: `saves ${isCompact ? "compact" : ""}` }, [...days].map(([day, saves]) =>
    element(
      "section", {}, element("h3", { class: "day" }, day),
      element("ol", { class: "save-list" }, saves.map((row) => saveLine(row, isCompact)))
    )));
}

function groupByDay(rows) {
  const days = new Map();
  for (const row of rows) days.set(row.date.slice(0, 10), [...(days.get(row.date.slice(0, 10)) ?? []), row]);
  return days;
}

/** A save in one line. */
export function saveLine(row, isCompact = false) {
  const actor = [row.author ?? row.process ?? "unknown", row.context].filter(Boolean).join(", ");
  return element("li", { class: "save" },
    element("a", { href: link("history", String(row.save)), class: "save-link" },
      element("span", { class: "save-number" }, `#${row.save}`),
      element("time", { datetime: row.date, title: `${dateText(row.date)} UTC, ${ago(row.date)}` }, row.date.slice(11, 19)),
      element("span", { class: "save-actor" }, actor),
      changeCounts(row),
      isCompact ? null : element(
        "span", { class: "save-entities" }, row.entities.map((name) => element("span", { class: "chip" }, name))
      )));
}

/** The numbers of changes: +7 ~60 −2. */
export function changeCounts(row) {
  const parts = [["inserted", "+"], ["updated", "~"], ["deleted", "−"]].filter(([name]) => Number(row[name]) > 0);
  return element("span", { class: "change-counts" }, parts.map(([name, sign]) =>
    element(
      "span", { class: `count-${name}`, title: name }, `${sign}${countText(row[name])}`,
      element("span", { class: "hidden-text" }, ` ${name}`)
    )));
}
