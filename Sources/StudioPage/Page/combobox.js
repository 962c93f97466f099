// An input with a list of candidates below it.
import { element, fill } from "./dom.js";

let count = 0;

/**
 * Adds a list of candidates to an input. `load(text, position)` returns a promise of `{start, candidates: [{text, help}]}`;
 * a candidate replaces the input's text from `start` to the cursor. `accepts` is called with a candidate instead, if it is given.
 */
export class Combobox {
  constructor(input, load, { accepts = null, delay = 120, opensEmpty = true } = {}) {
    Object.assign(this, { input, load, accepts, opensEmpty });
    this.candidates = [];
    this.chosen = -1;
    this.request = 0;
    this.list = element(
      "ul", { class: "candidates", role: "listbox", id: `candidates-${++count}`, hidden: true, "aria-label": "Suggestions" }
    );
    this.node = element("div", { class: "combobox" }, input, this.list);
    for (const [name, value] of Object.entries({
      role: "combobox", autocomplete: "off", spellcheck: "false",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
    })) input.setAttribute(name, value);
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.refresh(), delay); });
    input.addEventListener("blur", () => this.close());
    this.closeOnResize = () => this.close();
  }

  get isOpen() { return !this.list.hidden; }

  async refresh() {
    const number = ++this.request;
    const position = this.input.selectionStart;
    if (!this.opensEmpty && this.input.value === "") return this.close();
    const answer = await this.load(this.input.value, position).catch(() => null);
    if (number !== this.request || document.activeElement !== this.input) return;
    this.start = answer?.start ?? 0;
    this.end = position;
    this.show(answer?.candidates ?? []);
  }

  show(candidates) {
    const typed = this.input.value.slice(this.start, this.end);
    this.candidates = candidates.filter((candidate) => candidate.text !== typed).slice(0, 40);
    this.choose(-1);
    fill(this.list, this.candidates.map((candidate, index) => element("li", {
      role: "option", id: `${this.list.id}-${index}`, "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); this.accept(index); },
    }, element("span", { class: "candidate" }, candidate.text),
    candidate.help ? element("span", { class: "quiet" }, candidate.help) : null)));
    this.list.hidden = this.candidates.length === 0;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    if (!this.isOpen) return;
    this.place();
    addEventListener("resize", this.closeOnResize);
  }

  /** Puts the list below the input, or above it if there is more room; a grid that scrolls doesn't clip it. */
  place() {
    const box = this.input.getBoundingClientRect();
    const below = innerHeight - box.bottom;
    const isAbove = below < 180 && box.top > below;
    const style = this.list.style;
    style.setProperty("left", `${Math.max(8, Math.min(box.left, innerWidth - this.list.offsetWidth - 8))}px`);
    style.setProperty("top", isAbove ? "auto" : `${box.bottom + 4}px`);
    style.setProperty("bottom", isAbove ? `${innerHeight - box.top + 4}px` : "auto");
    style.setProperty("max-height", `${Math.min(260, (isAbove ? box.top : below) - 16)}px`);
  }

  close() {
    removeEventListener("resize", this.closeOnResize);
    this.request += 1;
    clearTimeout(this.timer);
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  press(event) {
    if (event.key === "ArrowDown" && !this.isOpen) { event.preventDefault(); this.refresh(); return; }
    if (!this.isOpen) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) this.choose((this.chosen + steps[event.key] + this.candidates.length) % this.candidates.length);
    else if (event.key === "Tab" || (event.key === "Enter" && this.chosen >= 0)) this.accept(Math.max(this.chosen, 0));
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  choose(index) {
    this.chosen = index;
    [...this.list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    const item = this.list.children[index];
    item?.scrollIntoView({ block: "nearest" });
    if (item) this.input.setAttribute("aria-activedescendant", item.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  accept(index) {
    const candidate = this.candidates[index];
    this.close();
    if (this.accepts) return this.accepts(candidate);
    this.input.setRangeText(candidate.text + (candidate.suffix ?? ""), this.start, this.end, "end");
    this.refresh();
  }
}
