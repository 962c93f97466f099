// The history of saves, and the changes of one.
import { get } from "./api.js";
import { button, debounce, element, fill } from "./dom.js";
import { setAction } from "./keyboard.js";
import { Plot } from "./plot.js";
import { go, link, replacePlace } from "./router.js";
import { session } from "./session.js";
import { changeCounts, rememberSaves, shownSaves, timeLine } from "./saves-list.js";
import { emptyNode, fillLater } from "./status.js";
import { counted, countText, dateText, valueText } from "./values.js";

/** The largest limit that the server accepts. */
const largestLimit = 10_000;

/** Shows the history, or a save. */
export function showHistory(root, place, signal) {
  return place.part ? showSave(root, place.part, signal) : showSaves(root, place.parameters, signal);
}

function showSaves(root, initial, signal) {
  const content = element("div", { class: "stack" });
  const load = (parameters) => {
    const limit = parameters.limit ?? 50;
    const older = Math.min(Number(limit) * 4, largestLimit);
    fillLater(content, signal, async () => {
      const { rows } = await get("history/list", { ...parameters, limit }, signal);
      if (rows.length === 0) return emptyNode("No saves fit.", "Change the filters.");
      const isMore = rows.length === Number(limit) && rows.length < largestLimit;
      return [savesPlot(rows), timeLine(rows), isMore ? element("p", { class: "button-row" },
        button("Show older saves", () => replacePlace("history", null, { ...parameters, limit: older }))) : null];
    });
  };
  fill(root, element("div", { class: "view" },
    element("header", { class: "view-header" }, element("h1", {}, "History"), filters(initial)), content));
  load(initial);
  return (place) => { if (place.part) return false; load(place.parameters); return true; };
}

/** A bar for each save. The scale is logarithmic, because an import would hide all others. */
function savesPlot(rows) {
  const sizes = rows.map((row) => Number(row.inserted) + Number(row.updated) + Number(row.deleted));
  const plot = new Plot("changed objects of each save");
  const total = sizes.reduce((sum, size) => sum + size, 0);
  plot.show(sizes.map((size) => Math.log1p(size)), countText(total),
    `in ${counted(rows.length, "save", "saves")} from ${dateText(rows[0].date).slice(0, 19)} to ${dateText(rows.at(-1).date).slice(0, 19)} UTC`);
  plot.node.classList.add("wide-plot");
  return plot.node;
}

function filters(initial) {
  const state = { ...initial };
  const change = (name, value) => { state[name] = value; replacePlace("history", null, { ...state, limit: null }); };
  const entity = element("select", {
    class: "input", "aria-label": "Entity", onchange: (event) => change("entity", event.target.value),
  },
    element("option", { value: "" }, "all entities"),
    session.model.entities.map(({ name }) => element("option", { value: name, selected: name === state.entity }, name)));
  const text = (name, label, placeholder) => element("input", {
    type: "text", class: "input", "aria-label": label, placeholder, value: state[name] ?? "", oninput: debounce(
      350, (event) => change(name, event.target.value.trim())
    ),
  });
  const author = text("author", "Author", "author");
  const process = text("process", "Process", "process");
  setAction("/", () => author.focus());
  const days = element("select", {
    class: "input", "aria-label": "Since", onchange: (event) => change("since", since(event.target.value)),
  },
    [
      ["", "any time"], ["1", "last hour"], ["24", "last day"], ["168", "last week"], ["720", "last 30 days"],
    ].map(([value, label]) => element("option", { value }, label)));
  return element("div", { class: "toolbar", role: "search" }, entity, author, process, days);
}

const since = (hours) => hours ? new Date(Date.now() - Number(hours) * 3_600_000).toISOString() : "";

function showSave(root, number, signal) {
  return fillLater(root, signal, async () => {
    const [{ rows }, save] = await Promise.all([get("history/show", { save: number }, signal), findSave(number, signal)]);
    return element("div", { class: "view" }, saveHeader(number, save), changeGroups(rows));
  });
}

/** The row of a save: one that a list has shown, or one of the newest; null for older ones, whose date the page then doesn't show. */
async function findSave(number, signal) {
  if (!/^\d+$/.test(number)) return null;
  if (!shownSaves.has(number)) rememberSaves((await get("history/list", { limit: 200 }, signal)).rows);
  return shownSaves.get(number) ?? null;
}

function saveHeader(number, save) {
  const step = (offset, label) => button(
    label, () => go("history", String(BigInt(number) + offset)),
    { disabled: !/^\d+$/.test(number) || BigInt(number) + offset < 1n }
  );
  return element("header", { class: "view-header" },
    element("div", {},
      element("p", { class: "crumbs" }, element("a", { href: link("history") }, "History")),
      element("h1", {}, `Save ${number}`, save ? changeCounts(save) : null),
      save ? element(
        "p", { class: "quiet" },
        [
          `${dateText(save.date)} UTC`, save.author, save.context, save.process ? `${save.process} ${save.pid ?? ""}` : null,
        ].filter(Boolean).join(" · ")
      ) : null),
    element("div", { class: "toolbar" }, step(-1n, "Older"), step(1n, "Newer")));
}

function changeGroups(rows) {
  if (rows.length === 0) return emptyNode("The save has no changes of objects.");
  const groups = new Map();
  for (const row of rows) {
    const name = `${row.change} ${row.object.split(":")[0]}`;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(([name, changes]) => changeGroup(name, changes));
}

function changeGroup(name, changes) {
  const [kind, entity] = name.split(" ");
  const list = element("ul", { class: "change-list" });
  const show = (count) => fill(list, changes.slice(0, count).map(changeLine),
    changes.length > count ? element(
      "li", {}, button(`Show all ${counted(changes.length, "object", "objects")}`, () => show(changes.length))
    ) : null);
  show(100);
  return element("section", { class: "card" }, element("header", { class: "card-header" },
    element("h2", {},
      element("span", { class: `change-kind count-${kind.replace(/e?$/, "ed")}` }, kind), entity,
      element("span", { class: "count" }, String(changes.length)))), list);
}

function changeLine(row) {
  const preserved = Object.entries(row.preserved ?? {});
  return element("li", { class: "change" },
    row.change === "delete" ? element("span", { class: "mono" }, row.object) : element(
      "a", { class: "mono", href: link("object", row.object) }, row.object
    ),
    row.properties.map((property) => element("span", { class: "chip" }, property)),
    preserved.map(([property, value]) => element("span", { class: "quiet small" }, `${property}: ${valueText(value)}`)));
}
