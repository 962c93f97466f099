// Starts the page: loads the session, shows the frame, and shows the view that the address names.
import { setToken } from "./api.js";
import { reviewAndSave, showChanges } from "./changes-view.js";
import { showChecks } from "./checks-view.js";
import { fill } from "./dom.js";
import { showHistory } from "./history-view.js";
import { clearActions, startKeyboard } from "./keyboard.js";
import { showMigrations } from "./migrations-view.js";
import { showModelView } from "./model-view.js";
import { showNow } from "./now-view.js";
import { showObject } from "./object-view.js";
import { showObjects } from "./objects-view.js";
import { pending } from "./pending.js";
import { currentPlace, go, replacePlace } from "./router.js";
import { loadCounts, session, startSession } from "./session.js";
import { markPlace, showShell } from "./shell.js";
import { showSizes } from "./sizes-view.js";
import { emptyNode, errorNode } from "./status.js";

const views = {
  objects: showObjects, object: showObject, model: showModelView, history: showHistory, migrations: showMigrations,
  checks: showChecks, sizes: showSizes, now: showNow, changes: showChanges,
};
const titles = {
  objects: "Objects", object: "Object", model: "Model", history: "History", migrations: "Migrations", checks: "Checks", sizes: "Sizes",
  now: "Now", changes: "Changes",
};

const main = document.getElementById("main");
let shown = { key: null, update: null, aborter: null };

/** Shows the view of the address, or passes new parameters to the view that is shown. */
function showPlace() {
  const place = currentPlace();
  if (place.view === "objects" && !place.part) return showLastEntity();
  const key = `${place.view}/${place.part ?? ""}`;
  markPlace(place);
  if (key === shown.key && shown.update?.(place)) return undefined;
  shown.aborter?.abort();
  shown = { key, update: null, aborter: new AbortController() };
  clearActions();
  document.title = [place.part ?? titles[place.view], session.studio.store.name ?? "storectl studio"].filter(Boolean).join(" – ");
  main.scrollTop = 0;
  main.className = `main main-${place.view}`;
  const show = views[place.view];
  if (!show) return fill(main, emptyNode(`There is no view “${place.view}”.`));
  const update = show(main, place, shown.aborter.signal);
  if (typeof update === "function") shown.update = update;
  return main.focus({ preventScroll: true });
}

/** Shows the entity that was shown last, or else the first one with objects. */
function showLastEntity() {
  const entities = session.model.entities;
  const first = session.model.entity(session.lastEntity)
    ?? entities.find((entity) => !entity.isAbstract && session.counts.get(entity.name) > 0) ?? entities[0];
  if (first) replacePlace("objects", first.name);
  else fill(main, emptyNode("The model has no entities."));
}

function startShortcuts() {
  startKeyboard({
    "/": () => document.querySelector("#sidebar .entity-filter, #sidebar .entity-link")?.focus(),
    ...(session.canWrite ? {
      "Ctrl+z": () => pending.undo(), "Ctrl+Shift+z": () => pending.redo(),
      "Ctrl+s": () => saveFromAnywhere(),
    } : {}),
  });
}

/** Shows the changes first, so that nothing is saved unseen. */
function saveFromAnywhere() {
  if (currentPlace().view !== "changes") return go("changes");
  return pending.count ? reviewAndSave(main.querySelector(".save-message")) : undefined;
}

async function start() {
  try {
    await startSession();
  } catch (error) {
    setToken(null);
    fill(main, errorNode(error));
    return;
  }
  showShell();
  startShortcuts();
  // Counting a large store takes long; only the choice of the first entity waits for it, and not for long.
  const counting = loadCounts().catch(() => null);
  if (currentPlace().view === "objects" && !currentPlace().part) {
    await Promise.race([counting, new Promise((resolve) => setTimeout(resolve, 800))]);
  }
  // The address after # names a view, so the link can't be a plain one.
  document.querySelector(".skip-link").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
  window.addEventListener("hashchange", showPlace);
  window.addEventListener("beforeunload", (event) => { if (pending.count) event.preventDefault(); });
  showPlace();
}

start();
