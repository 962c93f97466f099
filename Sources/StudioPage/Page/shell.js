// The frame of the page: the store, the views, and the entities with their numbers of objects.
import { element, fill, iconButton } from "./dom.js";
import { icon } from "./icons.js";
import { showHelp } from "./keyboard.js";
import { partsOf } from "./model.js";
import { pending } from "./pending.js";
import { link } from "./router.js";
import { session } from "./session.js";
import { countText } from "./values.js";

const items = [
  ["model", "Model", "g m"], ["history", "History", "g h"], ["now", "Now", "g n"], ["migrations", "Migrations", "g i"],
  ["checks", "Checks", "g c"], ["sizes", "Sizes", "g s"],
];
/** More entities than this get a field that finds one. */
const manyEntities = 15;
const sidebar = document.getElementById("sidebar");
const frame = document.querySelector(".shell");

/** Makes the frame. */
export function showShell() {
  const { store, version, tool } = session.studio;
  const badge = element("span", { class: "badge" });
  pending.addEventListener("change", () => {
    badge.textContent = pending.count || "";
    badge.hidden = pending.count === 0;
  });
  badge.hidden = true;
  fill(document.getElementById("top-bar"),
    iconButton(icon("menu"), "Menu", toggleMenu, { "aria-expanded": "false", "aria-controls": "sidebar", id: "menu-button" }),
    element("span", { class: "top-title" }, store.name ?? nameOf(store.url)));
  fill(sidebar,
    element("div", { class: "store" },
      element("p", { class: "store-name" }, store.name ?? nameOf(store.url)),
      element("p", { class: "store-url mono", title: store.url }, store.url),
      element("p", { class: "chips" }, element("span", { class: "chip" }, store.backend),
        store.production ? element("span", { class: "chip bad" }, "production") : null,
        store.tenant ? element("span", { class: "chip" }, store.tenant) : null,
        element("span", { class: `chip ${session.canWrite ? "warn" : ""}` }, session.canWrite ? "can write" : "read-only"))),
    element("ul", { class: "nav-list" }, items.map((item) => navItem(...item)),
      session.canWrite ? navItem("changes", "Changes", "g p", badge) : null),
    element("h2", { class: "sidebar-title" }, "Objects"),
    session.model.entities.length > manyEntities ? entityFilter() : null,
    element("ul", { class: "nav-list entities", onkeydown: moveInList }, session.model.hierarchy.map(entityItem)),
    element(
      "footer", { class: "sidebar-footer" }, element("span", { class: "quiet small" }, `${tool} ${version}`),
      iconButton(icon("help"), "Keyboard shortcuts (?)", showHelp)
    ));
  window.addEventListener("countschange", showCounts);
  sidebar.addEventListener("click", (event) => { if (event.target.closest("a")) closeMenu(); });
  sidebar.addEventListener("keydown", (event) => { if (event.key === "Escape") closeMenu(); });
}

/** The last part of an address: the file or the database. */
const nameOf = (url) => url.split(/[?#]/)[0].split(/[/:]/).filter(Boolean).at(-1) ?? url;

function navItem(view, title, keys, badge = null) {
  return element(
    "li", {},
    element(
      "a", { href: link(view), class: "nav-link", data: { view }, title: keys }, icon(view), element("span", {}, title), badge
    )
  );
}

function entityItem({ entity, depth }) {
  const node = element("a", {
    href: link("objects", entity.name), class: `nav-link entity-link ${entity.isAbstract ? "abstract" : ""}`,
    data: { entity: entity.name }, title: entity.isAbstract ? "abstract" : null,
  },
    element("span", { class: "entity-name" }, entity.name), element("span", { class: "entity-count" }));
  node.style.setProperty("--depth", depth);
  return element("li", {}, node);
}

/** Hides the entities whose names don't contain a text. */
function entityFilter() {
  return element("input", {
    type: "search", class: "input entity-filter", placeholder: "entity", "aria-label": "Find an entity",
    oninput: (event) => {
      const text = event.target.value.trim().toLowerCase();
      for (const node of sidebar.querySelectorAll("[data-entity]")) {
        node.parentElement.hidden = !node.dataset.entity.toLowerCase().includes(text);
      }
    },
    onkeydown: (event) => {
      if (event.key === "Enter") sidebar.querySelector("li:not([hidden]) > [data-entity]")?.click();
      if (event.key === "ArrowDown") sidebar.querySelector("li:not([hidden]) > [data-entity]")?.focus();
    },
  });
}

function showCounts() {
  for (const node of sidebar.querySelectorAll("[data-entity]")) {
    const count = session.counts.get(node.dataset.entity);
    node.querySelector(".entity-count").textContent = count === undefined ? "" : countText(count);
  }
}

/** Makes the page take no input, except in dialogs; returns a function that ends it. */
export function blockInput() {
  const focused = document.activeElement;
  frame.inert = true;
  frame.setAttribute("aria-busy", "true");
  return () => {
    frame.inert = false;
    frame.removeAttribute("aria-busy");
    // A node that is inert loses the focus.
    (focused?.isConnected ? focused : document.getElementById("main")).focus({ preventScroll: true });
  };
}

/** Marks the view that is shown. */
export function markPlace(place) {
  const entity = entityOf(place);
  for (const node of sidebar.querySelectorAll(".nav-link")) {
    const isCurrent = entity ? node.dataset.entity === entity : node.dataset.view === place.view;
    if (isCurrent) node.setAttribute("aria-current", "page"); else node.removeAttribute("aria-current");
  }
}

function entityOf({ view, part }) {
  if (view === "objects") return part;
  return view === "object" ? partsOf(part ?? "").entity || pending.entry(part)?.entity : null;
}

function moveInList(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll("li:not([hidden]) > a")];
  links[links.indexOf(document.activeElement) + step]?.focus();
  event.preventDefault();
}

function toggleMenu() { setMenu(!sidebar.classList.contains("open")); }

function closeMenu() { setMenu(false); }

function setMenu(isOpen) {
  sidebar.classList.toggle("open", isOpen);
  document.getElementById("menu-button").setAttribute("aria-expanded", String(isOpen));
}
