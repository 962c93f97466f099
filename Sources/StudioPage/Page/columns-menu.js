// Chooses the columns of a grid; the choice is kept in this browser.
import { button, element } from "./dom.js";
import { showDialog } from "./dialog.js";
import { defaultColumns, isShownFirst } from "./rows.js";
import { keepSetting, setting } from "./session.js";

/** Returns the chosen columns of an entity. */
export function chosenColumns(entity) {
  const all = defaultColumns(entity);
  const names = setting(`columns.${entity.name}`, null);
  if (!Array.isArray(names)) return all.filter(isShownFirst);
  return names.map((name) => all.find((property) => property.name === name)).filter(Boolean);
}

/** Lets a person choose and order columns; calls `changed` after each choice. */
export function chooseColumns(entity, changed) {
  const list = element("ul", { class: "column-choices" });
  let names = chosenColumns(entity).map((property) => property.name);
  const keep = (chosen) => {
    names = chosen;
    keepSetting(`columns.${entity.name}`, names);
    changed();
    show();
  };
  const move = (name, step) => {
    const [from, to] = [names.indexOf(name), names.indexOf(name) + step];
    if (to < 0 || to >= names.length) return;
    const moved = [...names];
    [moved[from], moved[to]] = [moved[to], moved[from]];
    keep(moved);
    list.querySelector(`[data-name="${CSS.escape(name)}"] [data-step="${step}"]`)?.focus();
  };
  const arrow = (name, step) => button(step < 0 ? "↑" : "↓", () => move(name, step), {
    class: "button small", data: { step }, "aria-label": `Move ${name} ${step < 0 ? "left" : "right"}`, disabled: !names.includes(name),
  });
  const show = () => {
    const all = defaultColumns(entity);
    const ordered = [...names.map((name) => all.find((property) => property.name === name)).filter(Boolean),
      ...all.filter((property) => !names.includes(property.name))];
    list.replaceChildren(...ordered.map((property) => element("li", { data: { name: property.name } },
      element("label", {}, element("input", {
        type: "checkbox", checked: names.includes(property.name),
        onchange: (event) => keep(event.target.checked ? [...names, property.name] : names.filter((name) => name !== property.name)),
      }), element("span", {}, property.name), element("span", { class: "quiet small" }, property.typeText)),
      arrow(property.name, -1), arrow(property.name, 1))));
  };
  show();
  const all = () => defaultColumns(entity).map((property) => property.name);
  showDialog(`Columns of ${entity.name}`, element("div", {},
    element("p", { class: "button-row" }, button("All", () => keep(all()), { class: "button small" }),
      button("Only the name", () => keep(entity.label ? [entity.label.name] : []), { class: "button small" })), list),
  [{ label: "Done", kind: "primary" }]);
}
