// The line for a predicate, with completion and with errors at their column.
import { get } from "./api.js";
import { Combobox } from "./combobox.js";
import { announce, button, element, fill, iconButton } from "./dom.js";
import { icon } from "./icons.js";

/** Makes the line; `apply(text)` is called with a predicate, or with an empty text, `leave()` when the escape key is pressed. */
export class FilterLine {
  constructor(entity, apply, leave) {
    this.entity = entity;
    this.apply = apply;
    this.leave = leave;
    this.input = element("input", {
      type: "text", class: "filter-input mono", "aria-label": `Predicate for ${entity.name}`, "aria-describedby": "filter-problem",
      placeholder: this.example(),
    });
    this.combobox = new Combobox(this.input, (text, position) => get("complete", { request: entity.name, text, position }));
    // After the combobox, which keeps the keys that choose or close its candidates.
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.clear = iconButton(icon("close"), "Clear the filter", () => { this.input.value = ""; this.submit(); }, { hidden: true });
    this.problem = element("div", { class: "filter-problem", id: "filter-problem", role: "alert", hidden: true });
    this.node = element("div", { class: "filter" },
      element("div", { class: "filter-line" }, element("label", { class: "filter-label mono", "aria-hidden": "true" }, "where"),
        this.combobox.node, this.clear, button("Filter", () => this.submit(), { class: "button small" })),
      this.problem);
  }

  example() {
    const number = this.entity.properties.find((property) => property.isAttribute && property.isNumeric);
    const text = this.entity.label;
    return [
      number ? `${number.name} > 10` : null, text ? `${text.name} CONTAINS[c] "an"` : null,
    ].filter(Boolean).join(" AND ") || "a predicate";
  }

  set text(value) {
    if (document.activeElement !== this.input || this.input.value === "") this.input.value = value ?? "";
    this.clear.hidden = !value;
  }

  focus() { this.input.focus(); this.input.select(); }

  press(event) {
    if (event.key === "Enter") this.submit();
    else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
  }

  submit() {
    this.combobox.close();
    this.show(null);
    this.apply(this.input.value.trim());
  }

  /** Shows an error of the predicate, or none. A column is shown as a marker below the text. */
  show(error) {
    this.problem.hidden = !error;
    this.input.setAttribute("aria-invalid", String(Boolean(error)));
    if (!error) return;
    const { clause, sentence } = error.place;
    const column = clause === "order" ? null : error.place.column;
    fill(this.problem, column ? this.marker(column) : null,
      element(
        "p", {}, column ? `Column ${column}: ${sentence}` : sentence,
        error.hint ? element("span", { class: "quiet" }, ` ${error.hint}`) : null
      ));
    announce(sentence);
  }

  /** The text with a marker at a column; an iteration over a text yields its Unicode scalars, which columns count. */
  marker(column) {
    const characters = [...this.input.value];
    const at = Math.min(column - 1, characters.length);
    return element("p", { class: "marked mono", "aria-hidden": "true" }, characters.slice(0, at).join(""),
      element("mark", {}, characters[at] ?? "\u00a0"), characters.slice(at + 1).join(""));
  }
}
