// The versions of the model, the state of the migration, and the plan for what is left.
import { get } from "./api.js";
import { codeBlock } from "./code.js";
import { button, element, fill } from "./dom.js";
import { showDialog } from "./dialog.js";
import { icon } from "./icons.js";
import { session } from "./session.js";
import { emptyNode, errorNode, fillLater } from "./status.js";
import { table } from "./table.js";
import { counted, countText, dateText } from "./values.js";

/** Shows the view. */
export function showMigrations(root, place, signal) {
  const section = (title, load, actions = null) => {
    const content = element("div", { class: "stack" });
    fillLater(content, signal, load);
    return element(
      "section", { class: "card" }, element("header", { class: "card-header" }, element("h2", {}, title), actions), content
    );
  };
  fill(root, element("div", { class: "view" },
    element("header", { class: "view-header" }, element("h1", {}, "Migrations")),
    section("Versions", () => versions(signal)),
    section("Plan", () => plan(signal), button("SQL script", showScript)),
    section("Finished migrations", () => finished(signal))));
}

/** An error that says that the tool knows no versions isn't a failure of the store. */
async function orNotice(load) {
  try {
    return await load();
  } catch (error) {
    if (error.code === "SC3011") return emptyNode("No frozen models are known.", error.hint);
    if (error.name === "AbortError") throw error;
    return errorNode(error);
  }
}

/** The result of a promise, or null after an error; leaving the view isn't one. */
const orNull = (promise) => promise.catch((error) => { if (error.name === "AbortError") throw error; return null; });

async function versions(signal) {
  const [list, status] = await Promise.all([get("model/list", {}, signal), orNull(get("migrate/status", {}, signal))]);
  const last = list.rows.length - 1;
  const line = element("ol", { class: "versions" }, list.rows.map((row, index) => element("li", { class: index === last ? "current" : "" },
    element("span", { class: "version-number" }, `V${row.version}`),
    element("span", { class: "version-facts" }, counted(row.entities, "entity", "entities"), element(
      "span", { class: "quiet mono" }, row.fingerprint.slice(0, 12)
    ),
      index === last ? element("span", { class: "chip good" }, "in the store") : null,
      row.isApplications ? element("span", { class: "chip" }, "the application's") : null))),
  pendingVersions(status).map((version) => element("li", { class: "pending" },
    element("span", { class: "version-number" }, version),
    element("span", { class: "version-facts" }, element("span", { class: "chip warn" }, "pending")))));
  const run = status?.run;
  return [line, run ? element("div", { class: "notice warn" }, icon("warning"), element("div", {},
    element("p", { class: "notice-title" }, `${run.transition} is unfinished: ${run.done} of ${run.steps} steps are done.`),
    element("progress", { max: run.steps, value: run.done }), element(
      "p", { class: "quiet" }, "Continue with storectl migrate resume."
    ))) : null];
}

/** The versions that transitions such as `V1-V2` lead to. */
function pendingVersions(status) {
  let from = status?.version ?? "";
  return (status?.pending ?? []).map((transition) => {
    from = transition.startsWith(`${from}-`) ? transition.slice(from.length + 1) : transition;
    return from;
  });
}

const plan = (signal) => orNotice(async () => {
  const document = await get("migrate/plan", {}, signal);
  if (document.empty) return emptyNode("The store has the last version. There is nothing to do.", null, true);
  return [
    notes("Would be lost", document.losses, "bad", "Accept each loss by name with storectl migrate apply --accept-loss NAME."),
    notes("Undecided", document.undecided, "warn", "Decide with --rename, --removed or --convert."),
    changes(document.changes),
    element("ol", { class: "steps" }, document.steps.map(stepLine)),
    document.digest ? element("p", { class: "quiet small digest" }, "digest ", element("code", {}, document.digest)) : null,
  ];
});

/** The changes of the model; their transitions are named if there are several. */
function changes(rows) {
  const isOne = new Set(rows.map((row) => row.transition)).size === 1;
  return element("ul", { class: "bullets" }, rows.map((row) =>
    element("li", {}, row.change, isOne ? null : element("span", { class: "quiet small" }, ` ${row.transition}`))));
}

function notes(title, lines, kind, remedy) {
  if (!lines?.length) return null;
  return element("div", { class: `notice ${kind}` }, icon("warning"), element("div", {},
    element("p", { class: "notice-title" }, title), element(
      "ul", {}, lines.map((line) => element("li", {}, line))
    ), element("p", { class: "quiet" }, remedy)));
}

function stepLine(step) {
  const chips = [
    ["chip", step.phase], ...step.locks.map((name) => ["chip warn", `locks ${name}`]),
    ...step.rewrites.map((name) => ["chip warn", `rewrites ${name}`]),
  ];
  return element("li", { class: "step" },
    element("p", {}, step.sentence, " ", chips.map(([className, text]) => element("span", { class: className }, text))),
    (step.tables ?? []).filter((row) => row.work !== "none" || row.lock).map((row) => element("p", { class: "quiet small" },
      tableText(row))),
    step.statements.length ? element("details", {}, element(
      "summary", {}, `SQL, ${counted(step.statements.length, "statement", "statements")}`
    ),
      codeBlock(step.statements.join(";\n"))) : null,
    (step.samples ?? []).map(sampleTable));
}

function tableText({ table: name, work, rows, estimated, lock }) {
  return [`${name}: ${work}`, rows === null ? null : `${estimated ? "about " : ""}${countText(rows)} rows`, lock].filter(Boolean).join(", ");
}

function sampleTable(sample) {
  return element("details", {}, element("summary", {}, `Examples of ${sample.property}`),
    sample.conversion ? element("p", { class: "mono small" }, sample.conversion) : null,
    table([
      { title: "object", value: (row) => row.object }, {
        title: "reads", value: (row) => row.reads.map((read) => `${read.property} = ${read.value}`).join(", "),
      },
      { title: "before", value: (row) => row.before ?? "new" }, { title: "after", value: (row) => row.problem ?? row.after },
    ], sample.rows, `Examples of ${sample.property}`));
}

async function finished(signal) {
  const { rows } = await get("migrate/history", {}, signal);
  if (rows.length === 0) return emptyNode("The store was not migrated yet.");
  return table([
    {
      title: "date (UTC)", value: (row) => dateText(row.date),
    }, { title: "migration", value: (row) => row.migration }, { title: "detail", value: (row) => row.detail },
  ], rows, "Finished migrations");
}

/** The databases that a script can be for, as `--for` names them. */
const backends = [["sqlite", "SQLite"], ["postgres", "PostgreSQL"]];

/** Shows the SQL for this store, or for a store of the same version in another database. */
function showScript() {
  const script = element("div");
  let aborter = null;
  const load = (backend) => {
    aborter?.abort();
    aborter = new AbortController();
    const { signal } = aborter;
    return fillLater(script, signal, () => orNotice(async () => {
      const from = backend ? (await get("migrate/status", {}, signal)).version : null;
      const document = await get("migrate/script", { for: backend, from }, signal);
      if (!document.script) return emptyNode("The store has the last version. There is nothing to do.", null, true);
      return codeBlock(document.script, "Script");
    }));
  };
  const { backend: own } = session.studio.store;
  const choice = element("select", { class: "input", "aria-label": "Database", onchange: (event) => load(event.target.value) },
    element("option", { value: "" }, `this store, ${own}`),
    backends.filter(([, name]) => name !== own).map(([value, name]) => element("option", { value }, `a store of ${name}`)));
  load("");
  showDialog("SQL script of the migration", element("div", { class: "stack" }, choice, script), [], "wide");
}
