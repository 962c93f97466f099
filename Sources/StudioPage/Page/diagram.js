// The diagram of the model: search, zoom, keys, and the card of an entity.
import { announce, button, element, fill, iconButton } from "./dom.js";
import { addGestures, DiagramCamera } from "./diagram-camera.js";
import { DiagramCard } from "./diagram-card.js";
import { describeLine, DiagramDrawing } from "./diagram-drawing.js";
import { emptyNode, loadingNode } from "./status.js";
import { counted } from "./values.js";

/** Shows the diagram; `api.get(route, parameters)` returns a document, and `api.signal` aborts when the view is left. */
export async function showModel(root, api) {
  fill(root, loadingNode());
  const plan = await api.get("diagram", {});
  if (plan.boxes.length === 0) return fill(root, emptyNode("The model has no entities."));
  const view = new DiagramView(api, plan);
  fill(root, view.node);
  view.resize();
  const observer = new ResizeObserver(() => view.resize());
  observer.observe(view.stage);
  api.signal.addEventListener("abort", () => observer.disconnect());
}

class DiagramView {
  constructor(api, plan) {
    this.plan = plan;
    this.drawing = new DiagramDrawing(plan);
    this.selected = null;
    this.matches = [];
    this.match = -1;
    this.card = new DiagramCard(api, this.drawing, { jump: (name) => this.jump(name), close: () => this.select(null) });
    this.caption = element("p", { class: "diagram-caption", "aria-hidden": "true", hidden: true });
    this.percent = element("span", { class: "diagram-percent quiet" });
    this.camera = new DiagramCamera(this.drawing.svg, plan.width, plan.height, (scale) => this.showScale(scale));
    const entities = counted(plan.boxes.length, "entity", "entities");
    this.drawing.svg.setAttribute("role", "group");
    this.drawing.svg.setAttribute("aria-label", `Diagram of ${entities}. Arrow keys move it, plus and minus zoom, 0 shows all of it.`);
    this.drawing.svg.setAttribute("tabindex", "0");
    this.stage = element("div", { class: "diagram-stage" }, this.drawing.svg, this.caption);
    this.node = element("section", { class: "diagram", "aria-label": "Model" },
      element("header", { class: "diagram-bar" },
        element("h1", {}, "Model"), element("span", { class: "quiet" }, entities), this.searchField(), this.zoomButtons()),
      element("div", { class: "diagram-body" }, this.stage, this.card.node));
    this.addListeners();
  }

  /** Adapts the view to the size of the window. */
  resize() {
    const { svg } = this.drawing;
    const size = `${svg.clientWidth} ${svg.clientHeight}`;
    if (size === this.size) return;
    if (this.size === undefined || this.camera.isFitted) this.camera.fit(); else this.camera.apply();
    this.size = size;
  }

  showScale(scale) {
    this.drawing.setScale(scale);
    this.percent.textContent = `${Math.round(scale * 100)} %`;
  }

  // Controls

  searchField() {
    this.hits = element("span", { class: "diagram-hits quiet", role: "status" });
    this.search = element("input", {
      class: "input", type: "search", placeholder: "Find an entity or property", "aria-label": "Find an entity or property", spellcheck: "false",
      autocomplete: "off", oninput: () => this.find(this.search.value), onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.stopPropagation();
        event.preventDefault();
        if (event.key === "Enter") return this.jumpToMatch(event.shiftKey ? -1 : 1);
        this.search.value = "";
        this.find("");
      },
    });
    return element("span", { class: "diagram-search" }, this.search, this.hits);
  }

  zoomButtons() {
    const control = (text, label, action) => iconButton(document.createTextNode(text), label, action, { class: "button diagram-zoom" });
    return element("span", { class: "diagram-zooms" },
      control("−", "Zoom out (−)", () => this.camera.zoom(1 / 1.25)), this.percent, control("+", "Zoom in (+)", () => this.camera.zoom(1.25)),
      button("Fit", () => this.camera.fit(), { title: "Show all of it (0)" }));
  }

  // Search

  /** Marks the entities whose name or property contains a text; those whose name begins with it come first. */
  find(text) {
    const wanted = text.trim().toLowerCase();
    const rank = ({ box }) => {
      const name = box.entity.toLowerCase();
      if (name === wanted) return 0;
      if (name.startsWith(wanted)) return 1;
      if (name.includes(wanted)) return 2;
      return box.rows.some((row) => row.property?.toLowerCase().includes(wanted)) ? 3 : null;
    };
    const entities = [...this.drawing.entities.values()];
    this.matches = wanted === "" ? [] : entities.map((entity) => [rank(entity), entity]).filter(([order]) => order !== null)
      .sort((first, second) => first[0] - second[0]).map(([, entity]) => entity.box.entity);
    this.match = -1;
    const found = new Set(this.matches);
    for (const { box, node } of entities) {
      node.classList.toggle("match", found.has(box.entity));
      for (const row of node.querySelectorAll(".row")) {
        row.classList.toggle("match", wanted !== "" && row.dataset.property.toLowerCase().includes(wanted));
      }
    }
    this.drawing.svg.classList.toggle("searching", wanted !== "");
    this.hits.textContent = wanted === "" ? "" : this.matches.length === 1 ? "1 match" : `${this.matches.length || "no"} matches`;
  }

  jumpToMatch(step) {
    if (this.matches.length === 0) return;
    this.match = (this.match + step + this.matches.length) % this.matches.length;
    this.jump(this.matches[this.match], { focus: false });
    if (this.matches.length > 1) this.hits.textContent = `${this.match + 1} of ${this.matches.length} matches`;
  }

  // Selection

  /** Selects an entity and moves it to the middle. */
  jump(name, { focus = true } = {}) {
    const entity = this.drawing.entities.get(name);
    if (!entity) return;
    this.select(name);
    if (focus) entity.node.focus({ preventScroll: true });
    this.camera.moveTo(entity.box);
  }

  /** Opens the card of an entity and dims what isn't related; null ends that. */
  select(name) {
    if (this.selected) this.drawing.entities.get(this.selected).node.setAttribute("aria-pressed", "false");
    this.selected = name;
    const related = name ? this.drawing.related(name) : null;
    for (const [entity, { node }] of this.drawing.entities) {
      node.classList.toggle("dimmed", related !== null && !related.has(entity));
      node.classList.toggle("selected", entity === name);
    }
    for (const { line, node } of this.drawing.lines) {
      const touches = line.source.entity === name || line.destination.entity === name;
      node.classList.toggle("dimmed", name !== null && !touches);
      node.classList.toggle("lit", name !== null && touches);
    }
    this.drawing.svg.classList.toggle("selecting", name !== null);
    if (name === null) return this.card.hide();
    const { box, node } = this.drawing.entities.get(name);
    node.setAttribute("aria-pressed", "true");
    this.card.show(name);
    // The card covers a part of the view.
    this.camera.reveal(box);
    announce(`${name}, related to ${counted(related.size - 1, "other entity", "other entities")}`);
  }

  // Events

  addListeners() {
    const { svg } = this.drawing;
    addGestures(this.camera);
    svg.addEventListener("click", (event) => {
      if (svg.classList.contains("dragging")) return;
      const name = event.target.closest(".diagram-box")?.dataset.entity ?? null;
      this.select(name === this.selected ? null : name);
    });
    svg.addEventListener("focusin", (event) => {
      const name = event.target.closest(".diagram-box")?.dataset.entity;
      if (name && event.target.matches(":focus-visible")) this.camera.reveal(this.drawing.entities.get(name).box);
    });
    svg.addEventListener("pointerover", (event) => this.point(event.target));
    svg.addEventListener("pointerleave", () => this.point(null));
    this.node.addEventListener("keydown", (event) => this.press(event));
  }

  /** Lights up the line under the pointer, or that of a row, and its properties. */
  point(target) {
    const group = target?.closest(".diagram-line");
    const row = target?.closest(".row.link");
    const name = row?.closest(".diagram-box").dataset.entity;
    const isPointed = ({ line, node }) => group ? node === group
      : row ? [line.source, line.destination].some((end) => end.entity === name && end.property === row.dataset.property) : false;
    let pointed = null;
    for (const drawn of this.drawing.lines) {
      const isOn = isPointed(drawn);
      drawn.node.classList.toggle("pointed", isOn);
      if (isOn) pointed = drawn.line;
    }
    for (const node of this.drawing.svg.querySelectorAll(".row.pointed")) node.classList.remove("pointed");
    this.caption.hidden = pointed === null;
    if (pointed === null) return;
    this.caption.textContent = describeLine(pointed);
    for (const end of [pointed.source, pointed.destination]) {
      if (end.property === null) continue;
      const rows = this.drawing.entities.get(end.entity).node.querySelectorAll(".row.link");
      for (const node of rows) if (node.dataset.property === end.property) node.classList.add("pointed");
    }
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.selected) {
      this.drawing.entities.get(this.selected).node.focus({ preventScroll: true });
      this.select(null);
    } else if (!this.drawing.svg.contains(event.target) || !this.pressInImage(event)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  pressInImage(event) {
    const step = event.shiftKey ? 240 : 60;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const name = event.target.closest(".diagram-box")?.dataset.entity;
    if (moves[event.key]) this.camera.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.camera.zoom(1.25);
    else if (event.key === "-" || event.key === "−") this.camera.zoom(1 / 1.25);
    else if (event.key === "0") this.camera.fit();
    else if (name && (event.key === "Enter" || event.key === " ")) this.select(name === this.selected ? null : name);
    else return false;
    return true;
  }
}
