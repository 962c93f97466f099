// The visible part of a diagram: zooming, panning, and moving to a box.

const smallest = 0.05;
const largest = 3;

export class DiagramCamera {
  /** Shows a part of an SVG element of a given size; `changed` is called with each new scale. */
  constructor(svg, width, height, changed) {
    Object.assign(this, { svg, width, height, changed, x: 0, y: 0, scale: 1 });
    this.frame = 0;
    /** Whether the view still shows the whole diagram, as `fit` left it. */
    this.isFitted = false;
  }

  get viewWidth() { return this.svg.clientWidth || 1; }
  get viewHeight() { return this.svg.clientHeight || 1; }

  /** Shows the whole diagram, not larger than its natural size. */
  fit() {
    this.stop();
    this.isFitted = true;
    this.scale = clamp(Math.min(this.viewWidth / this.width, this.viewHeight / this.height, 1));
    this.x = (this.width - this.viewWidth / this.scale) / 2;
    this.y = (this.height - this.viewHeight / this.scale) / 2;
    this.apply();
  }

  /** Zooms by a factor; the point of the window, in pixels from the element's corner, keeps its place. */
  zoom(factor, point = { x: this.viewWidth / 2, y: this.viewHeight / 2 }) {
    const scale = clamp(this.scale * factor);
    this.x += point.x / this.scale - point.x / scale;
    this.y += point.y / this.scale - point.y / scale;
    this.scale = scale;
    this.stop();
    this.apply();
  }

  /** Moves the view by pixels. */
  pan(x, y) {
    this.x += x / this.scale;
    this.y += y / this.scale;
    this.stop();
    this.apply();
  }

  /** Moves smoothly until a box is in the middle, at a size at which it can be read. */
  moveTo(box, room = 0) {
    const scale = Math.max(this.scale, 0.9);
    this.glide({
      scale,
      x: box.x + box.width / 2 - (this.viewWidth - room) / 2 / scale,
      y: box.y + Math.min(box.height, this.viewHeight / scale * 0.8) / 2 - this.viewHeight / 2 / scale,
    });
  }

  /** Moves the view as little as necessary for a box to be visible. */
  reveal(box) {
    const [width, height] = [this.viewWidth / this.scale, this.viewHeight / this.scale];
    const margin = 60;
    const nearest = (position, size, low, high) =>
      low - margin < position ? low - margin : high + margin > position + size ? Math.min(low - margin, high + margin - size) : position;
    this.glide({
      scale: this.scale, x: nearest(this.x, width, box.x, box.x + box.width), y: nearest(this.y, height, box.y, box.y + box.height),
    });
  }

  glide(target) {
    this.stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      Object.assign(this, target);
      return this.apply();
    }
    const from = { x: this.x, y: this.y, scale: this.scale };
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - start) / 220);
      const eased = 1 - (1 - part) ** 3;
      this.scale = from.scale * (target.scale / from.scale) ** eased;
      this.x = from.x + (target.x - from.x) * eased;
      this.y = from.y + (target.y - from.y) * eased;
      this.apply();
      this.frame = part < 1 ? requestAnimationFrame(step) : 0;
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Ends a movement; every other movement starts with this. */
  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.isFitted = false;
  }

  apply() {
    const view = [this.x, this.y, this.viewWidth / this.scale, this.viewHeight / this.scale];
    this.svg.setAttribute("viewBox", view.map((number) => number.toFixed(2)).join(" "));
    this.changed(this.scale);
  }
}

const clamp = (scale) => Math.min(largest, Math.max(smallest, scale));

/** Pans with the pointer, and zooms with the wheel and with two fingers. */
export function addGestures(camera) {
  const { svg } = camera;
  const pointers = new Map();
  const place = (event) => {
    const frame = svg.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) return camera.pan((event.deltaX || event.deltaY) * lines, 0);
    camera.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), place(event));
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { now: place(event), moved: 0 });
  });
  svg.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    const [before, now] = [pointer.now, place(event)];
    pointer.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    pointer.now = now;
    if (pointer.moved < 4) return;
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("dragging");
    const other = [...pointers.values()].find((each) => each !== pointer);
    if (other) {
      const length = (point) => Math.hypot(point.x - other.now.x, point.y - other.now.y) || 1;
      camera.zoom(length(now) / length(before), other.now);
    } else {
      camera.pan(before.x - now.x, before.y - now.y);
    }
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    // The click that ends a drag is no selection.
    setTimeout(() => { if (pointers.size === 0) svg.classList.remove("dragging"); });
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
}
