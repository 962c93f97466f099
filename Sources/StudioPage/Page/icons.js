// Line icons on a 16 by 16 grid.
import { svgElement } from "./dom.js";

const paths = {
  objects: "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 6.5v6",
  model: "M2 2.5h5v4H2zM9 9.5h5v4H9zM4.5 6.5v5H9M11.5 9.5v-5H7",
  history: "M8 4.5V8l2.5 1.5M2.6 6.5A5.7 5.7 0 1 1 2.3 8.6M2.5 3v3.5H6",
  migrations: "M2 8h2.5M7 8h2.5M12 8h2M5.75 6.75a1.25 1.25 0 1 1 0 2.5a1.25 1.25 0 1 1 0-2.5M10.75 6.75a1.25 1.25 0 1 1 0 2.5a1.25 1.25 0 1 1 0-2.5",
  checks: "M8 1.8l5 1.9v4c0 3.2-2 5.4-5 6.6c-3-1.2-5-3.4-5-6.6v-4zM5.7 8l1.7 1.7l3-3.2",
  sizes: "M2.5 13.5v-4M6.2 13.5v-9M9.9 13.5v-6M13.5 13.5v-11",
  now: "M1.5 8.5h3l2-5l3 9l2-4h3",
  changes: "M3 13h3l7-7l-3-3l-7 7zM8.5 4.5l3 3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  help: "M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 1 1 0-12.4M6.2 6.3a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.3M8 11.3v.2",
  previous: "M10 3.5L5.5 8l4.5 4.5",
  next: "M6 3.5L10.5 8L6 12.5",
  columns: "M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5",
  undo: "M3 6.5h6.5a3.2 3.2 0 0 1 0 6.5H6M3 6.5L6 3.5M3 6.5l3 3",
  redo: "M13 6.5H6.5a3.2 3.2 0 0 0 0 6.5H10M13 6.5l-3-3M13 6.5l-3 3",
  edit: "M3 13h2.5l7-7L10 3.5l-7 7z",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  warning: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2",
  done: "M3.5 8.5l3 3l6-7",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
};

/** Makes an icon, which screen readers skip. */
export function icon(name) {
  return svgElement("svg", {
    class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", focusable: "false",
  },
    svgElement("path", { d: paths[name] }));
}
