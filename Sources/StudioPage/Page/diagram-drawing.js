// Draws the document of `storectl diagram --json` as SVG elements.
import { svgElement } from "./dom.js";
import { counted } from "./values.js";

const markers = {
  many: [["path", { d: "M2,6 L14,1 M2,6 L14,11 M2,6 L14,6" }]],
  one: [["path", { d: "M8,1 L8,11" }]],
  optional: [["path", { d: "M10,1 L10,11" }], ["circle", { class: "solid", cx: 4, cy: 6, r: 3 }]],
  arrow: [["path", { d: "M6,2 L13,6 L6,10" }]],
  superentity: [["path", { class: "solid inherits", d: "M3,1 L13,6 L3,11 Z" }]],
};

/** A diagram: its SVG element, and the groups of its boxes and lines. */
export class DiagramDrawing {
  constructor(plan) {
    this.plan = plan;
    /** For each entity its box in the document, its group, and the lines that end there. */
    this.entities = new Map();
    this.lines = plan.lines.map((line) => ({ line, node: drawLine(line) }));
    for (const box of plan.boxes) this.entities.set(box.entity, { box, node: drawBox(box), lines: [] });
    for (const drawn of this.lines) {
      for (const name of new Set([drawn.line.source.entity, drawn.line.destination.entity])) this.entities.get(name)?.lines.push(drawn);
    }
    const boxes = [...this.entities.values()].map((entity) => entity.node);
    this.svg = svgElement("svg", { class: "diagram-image", preserveAspectRatio: "xMinYMin meet" },
      drawMarkers(),
      svgElement("g", { "aria-hidden": "true" }, this.lines.map((drawn) => drawn.node)),
      svgElement("g", {}, boxes));
  }

  /** The entities that lines connect with one, and itself. */
  related(name) {
    const names = new Set([name]);
    for (const { line } of this.entities.get(name)?.lines ?? []) names.add(line.source.entity).add(line.destination.entity);
    return names;
  }

  /** Sets the size of the names that replace the rows if the diagram is small. */
  setScale(scale) {
    const isFar = scale < 0.5;
    this.svg.classList.toggle("far", isFar);
    if (!isFar) return;
    for (const { box, node } of this.entities.values()) {
      const size = Math.min(13 / scale, (box.width - 16) / (0.68 * box.entity.length), box.height * 0.6);
      node.querySelector(".diagram-title").setAttribute("font-size", size.toFixed(1));
    }
  }
}

/** The sentence about a line: both properties with their cardinalities and delete rules. */
export function describeLine(line) {
  if (line.kind === "inheritance") return `${line.source.entity} is a ${line.destination.entity}`;
  const property = (end, other) => end.property
    ? `${end.entity}.${end.property} (${[other.cardinality, end.ordered ? "ordered" : null, `delete: ${end.deleteRule}`].filter(Boolean).join(", ")})` : null;
  const ends = [property(line.source, line.destination), property(line.destination, line.source)].filter(Boolean);
  return ends.length === 2 ? ends.join("  ↔  ") : `${ends[0]}  →  ${line.destination.entity}`;
}

function drawMarkers() {
  return svgElement("defs", {}, Object.entries(markers).map(([name, shapes]) =>
    svgElement("marker", {
      id: `diagram-${name}`, viewBox: "0 0 14 12", refX: 14, refY: 6, markerWidth: 14, markerHeight: 12,
      markerUnits: "userSpaceOnUse", orient: "auto-start-reverse",
    }, shapes.map(([shape, attributes]) => svgElement(shape, attributes)))));
}

function drawBox(box) {
  const { x, y, width, height, headHeight } = box;
  const attributes = box.rows.filter((row) => !row.relationship).length;
  const label = `${box.entity}${box.abstract ? ", abstract" : ""}${box.superentity ? `, a ${box.superentity}` : ""}, ` +
    `${counted(attributes, "attribute", "attributes")}, ${counted(box.rows.length - attributes, "relationship", "relationships")}`;
  return svgElement("g", {
    class: box.abstract ? "diagram-box abstract" : "diagram-box", tabindex: 0, role: "button", "aria-label": label, "aria-pressed": "false",
    data: { entity: box.entity },
  },
    svgElement("rect", { class: "body", x, y, width, height, rx: 6 }),
    svgElement("path", { class: "head", d: `M${x},${y + headHeight} v${6 - headHeight} q0,-6 6,-6 h${width - 12} q6,0 6,6 v${headHeight - 6} z` }),
    svgElement("text", { class: "name", x: x + width / 2, y: y + 20 }, box.entity),
    svgElement("text", { class: "diagram-title", x: x + width / 2, y: y + height / 2 }, box.entity),
    svgElement("g", { class: "rows" }, box.rows.map((row) => drawRow(box, row))),
    svgElement("rect", { class: "ring", x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 9 }));
}

function drawRow(box, row) {
  const kind = row.relationship ? "row link" : row.property === null ? "row rest" : "row";
  const y = box.y + row.y;
  return svgElement("g", { class: kind, data: { property: row.property ?? "" } },
    svgElement("rect", { class: "row-back", x: box.x + 1, y: y - 9, width: box.width - 2, height: 18 }),
    svgElement("text", { x: box.x + 8, y: y + 4 }, row.name),
    svgElement("text", { class: "type", x: box.x + box.width - 8, y: y + 4 }, row.type));
}

function drawLine(line) {
  const d = path(line.points);
  const reference = (marker) => marker ? `url(#diagram-${marker})` : null;
  return svgElement("g", { class: line.kind === "inheritance" ? "diagram-line inherits" : "diagram-line" },
    svgElement("title", {}, describeLine(line)),
    svgElement("path", { class: "hit", d }),
    svgElement("path", { class: "edge", d, "marker-start": reference(line.source.marker), "marker-end": reference(line.destination.marker) }),
    [line.source.label, line.destination.label].filter(Boolean).map((label) =>
      svgElement("text", { class: `end ${label.side}`, x: label.x, y: label.y }, label.text)));
}

/** Returns the path through points, with round corners. */
function path(points) {
  const distance = (a, b) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  const toward = (a, b, length) => `${a.x + Math.sign(b.x - a.x) * length},${a.y + Math.sign(b.y - a.y) * length}`;
  return points.map((point, index) => {
    if (index === 0) return `M${point.x},${point.y}`;
    if (index === points.length - 1) return `L${point.x},${point.y}`;
    const [before, after] = [points[index - 1], points[index + 1]];
    const radius = Math.min(6, distance(before, point) / 2, distance(point, after) / 2);
    return `L${toward(point, before, radius)} Q${point.x},${point.y} ${toward(point, after, radius)}`;
  }).join(" ");
}
