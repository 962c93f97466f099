// The card beside a diagram: the properties, indexes, number of objects and size of an entity.
import { element, fill, iconButton } from "./dom.js";
import { icon } from "./icons.js";
import { describeLine } from "./diagram-drawing.js";
import { link } from "./router.js";
import { counted, countText, sizeText } from "./values.js";

/** Shows cards, and keeps the documents that all of them need. */
export class DiagramCard {
  constructor(api, drawing, { jump, close }) {
    Object.assign(this, { api, drawing, jump, close });
    this.node = element("aside", { class: "diagram-card", "aria-label": "Entity", hidden: true });
    this.documents = new Map();
    this.shown = null;
  }

  hide() {
    this.shown = null;
    this.node.hidden = true;
  }

  show(name) {
    const { box, lines } = this.drawing.entities.get(name);
    this.shown = name;
    this.node.hidden = false;
    const facts = element("dl", { class: "diagram-facts" });
    const properties = element("div", { class: "diagram-section" }, element("p", { class: "quiet" }, "Loading…"));
    const indexes = element("div", { class: "diagram-section", hidden: true });
    fill(this.node,
      element("header", { class: "diagram-card-head" },
        element("h2", {}, name),
        box.abstract ? element("span", { class: "chip" }, "abstract") : null,
        iconButton(icon("close"), "Close", this.close)),
      element("p", { class: "diagram-card-links" },
        element("a", { href: link("objects", name) }, box.abstract ? "Objects of its subentities" : "Objects"),
        box.superentity ? element("span", {}, "is a ", this.entityButton(box.superentity)) : null),
      facts, properties, indexes, this.lineList(name, lines));
    this.node.scrollTop = 0;
    this.showFacts(name, box, facts);
    this.load(name, properties, async () => this.propertyTable(name, await this.get("inspect/entity", { entity: name })));
    this.load(name, indexes, async () => this.indexList(name, box));
  }

  /** Fills a part of the card, unless another entity is shown by then. */
  async load(name, part, make) {
    try {
      const content = await make();
      if (this.shown === name) fill(part, content);
      part.hidden = content === null;
    } catch (error) {
      if (error.name === "AbortError" || this.shown !== name) return;
      part.hidden = false;
      fill(part, element("p", { class: "problem" }, error.message));
    }
  }

  /** Returns a document; those without the name of an entity are requested once. */
  get(route, parameters) {
    const key = JSON.stringify([route, parameters]);
    if (!this.documents.has(key)) {
      const document = this.api.get(route, parameters ?? {});
      document.catch(() => this.documents.delete(key));
      this.documents.set(key, document);
    }
    return this.documents.get(key);
  }

  entityButton(name) {
    if (!this.drawing.entities.has(name)) return name;
    return element("button", { type: "button", class: "diagram-jump", onclick: () => this.jump(name) }, name);
  }

  // Facts

  async showFacts(name, box, facts) {
    const values = {
      objects: element("dd", { class: "quiet" }, "…"), size: element("dd", { class: "quiet" }, "…"),
      rules: element("dd", {}, String(box.rules)), unique: element("dd", {}, String(box.unique)),
    };
    const fact = (title, value) => element("div", {}, element("dt", {}, title), value);
    fill(facts, fact("Objects", values.objects), fact("Size", values.size), fact("Rules", values.rules), fact("Unique", values.unique));
    await Promise.all([
      this.loadFact(name, values.objects, () => this.objectCount(name)), this.loadFact(name, values.size, () => this.size(name)),
    ]);
  }

  async loadFact(name, node, make) {
    try {
      const text = await make();
      if (this.shown !== name) return;
      node.classList.remove("quiet");
      fill(node, text);
    } catch (error) {
      if (error.name !== "AbortError" && this.shown === name) fill(node, element("span", { title: error.message }, "unknown"));
    }
  }

  async objectCount(name) {
    const { rows } = await this.get("inspect/counts");
    const names = this.family(name);
    const sum = rows.filter((row) => names.has(row.entity)).reduce((total, row) => total + Number(row.objects), 0);
    const own = rows.find((row) => row.entity === name);
    if (!own) return `${countText(sum)} in subentities`;
    return names.size > 1 ? `${countText(own.objects)}, ${countText(sum)} with subentities` : countText(sum);
  }

  async size(name) {
    const root = this.root(name);
    const table = await this.table(root);
    if (!table) return "unknown";
    const text = sizeText(table.bytes) + (table.indexBytes === null ? "" : `, ${sizeText(table.indexBytes)} of indexes`);
    return root === name ? text : `${text}, of all ${root} objects`;
  }

  /** The table of an inheritance tree. */
  async table(root) {
    const { rows } = await this.get("inspect/sizes");
    return rows.find((row) => row.holds === root);
  }

  root(name) {
    const above = this.drawing.entities.get(name)?.box.superentity;
    return above && this.drawing.entities.has(above) ? this.root(above) : name;
  }

  family(name) {
    const names = new Set([name]);
    for (const { box } of this.drawing.entities.values()) {
      if (box.superentity === name) for (const each of this.family(box.entity)) names.add(each);
    }
    return names;
  }

  // Lists

  propertyTable(name, { rows }) {
    const own = new Set(this.drawing.entities.get(name).box.rows.filter((row) => row.relationship).map((row) => row.property));
    const relationships = this.relationshipNames(name);
    const attributes = rows.filter((row) => !relationships.has(row.property) && !own.has(row.property));
    if (attributes.length === 0) return element("p", { class: "quiet" }, "No attributes.");
    return [
      element("h3", {}, counted(attributes.length, "attribute", "attributes")),
      element("ul", { class: "diagram-properties" }, attributes.map((row) => element("li", {},
        element("span", { class: "diagram-property" }, row.property),
        element("span", { class: "diagram-type" }, row.type + (row.optional ? "?" : "")),
        this.note([row.default === null ? null : `default ${row.default}`, row.rules || null])))),
    ];
  }

  note(parts) {
    const text = parts.filter(Boolean).join("; ");
    return text ? element("span", { class: "diagram-note" }, text) : null;
  }

  /** The relationships of an entity and its superentities, which the document of its properties also lists. */
  relationshipNames(name) {
    const names = new Set();
    for (let each = name; this.drawing.entities.has(each);) {
      const { box } = this.drawing.entities.get(each);
      for (const row of box.rows) if (row.relationship) names.add(row.property);
      each = box.superentity;
    }
    return names;
  }

  async indexList(name, box) {
    const table = await this.table(this.root(name));
    const { rows } = await this.get("inspect/indexes");
    const indexes = rows.filter((row) => row.table === table?.table);
    if (indexes.length === 0) return null;
    return [
      element("h3", {}, `${counted(indexes.length, "index", "indexes")} of the table ${table.table}`),
      element("ul", { class: "diagram-properties" }, indexes.map((row) => element("li", {},
        element("span", { class: "diagram-property" }, row.index),
        element("span", { class: "diagram-type" }, [row.unique ? "unique" : null, row.bytes === null ? null : sizeText(row.bytes)].filter(Boolean).join(", ")),
        element("code", { class: "diagram-note" }, row.definition)))),
    ];
  }

  lineList(name, lines) {
    if (lines.length === 0) return null;
    const other = (line) => line.source.entity === name ? line.destination.entity : line.source.entity;
    return element("div", { class: "diagram-section" },
      element("h3", {}, "Relationships"),
      element("ul", { class: "diagram-properties" }, lines.map(({ line }) => element("li", {},
        element("span", { class: "diagram-property" }, lineName(line, name)), this.entityButton(other(line)),
        element("span", { class: "diagram-note" }, describeLine(line))))));
  }
}

/** The name of a line, seen from an entity. */
function lineName(line, name) {
  if (line.kind === "inheritance") return line.source.entity === name ? "superentity" : "subentity";
  const own = line.source.entity === name && line.source.property !== null ? line.source : line.destination;
  return own.property ?? `from ${line.source.property}`;
}
