// Small plots of the last minutes, as SVG.
import { element, fill, svgElement } from "./dom.js";

const [width, height] = [240, 56];

/** A plot of numbers, the oldest first: bars for counts, a line for a quantity. */
export class Plot {
  constructor(title, { isLine = false } = {}) {
    this.isLine = isLine;
    this.shape = svgElement("path", { class: isLine ? "plot-line" : "plot-bars" });
    this.area = isLine ? svgElement("path", { class: "plot-area" }) : null;
    this.value = element("span", { class: "plot-value" }, "–");
    this.note = element("span", { class: "quiet small" });
    this.node = element("figure", { class: "plot" },
      element("figcaption", {}, element("span", { class: "quiet" }, title), this.value),
      svgElement(
        "svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, this.area, this.shape
      ), this.note);
  }

  /** Draws the numbers; `value` is shown large, `note` below. */
  show(numbers, value, note) {
    if (this.isLine) this.drawLine(numbers); else this.drawBars(numbers);
    fill(this.value, value);
    fill(this.note, note);
  }

  drawBars(numbers) {
    const most = Math.max(1, ...numbers);
    // A few bars are as wide as those of a full plot.
    const step = width / Math.max(numbers.length, 40);
    this.shape.setAttribute("d", numbers.map((number, index) => {
      const tall = Math.max(number > 0 ? 2 : 0.6, (height - 4) * number / most);
      return `M${(index * step).toFixed(2)} ${height}v${(-tall).toFixed(2)}h${(step * 0.72).toFixed(2)}V${height}z`;
    }).join(""));
  }

  drawLine(numbers) {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const y = (number) => high === low ? height / 2 : height - 4 - (height - 10) * (number - low) / (high - low);
    const x = (index) => numbers.length === 1 ? width : width * index / (numbers.length - 1);
    const path = numbers.map((number, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(number).toFixed(1)}`).join("");
    this.shape.setAttribute("d", path);
    this.area.setAttribute("d", `${path}L${width} ${height}L${x(0).toFixed(1)} ${height}Z`);
  }
}
