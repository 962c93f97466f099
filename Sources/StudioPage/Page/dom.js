// Makes elements. A value of the store reaches the page only as text, so that it can never become markup.

const assigned = new Set(["value", "checked", "disabled", "selected", "open", "hidden", "indeterminate", "readOnly"]);
const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Makes an element.
 * Attributes with functions are event listeners (`onclick`), `style` is an object that is set by CSSOM, `data` becomes `data-` attributes.
 * A child is a node, a text, a number or an array of these; null, undefined and false are left out.
 */
export function element(name, attributes, ...children) {
  const node = document.createElement(name);
  setAttributes(node, attributes ?? {});
  append(node, children);
  return node;
}

/** Makes an SVG element, with the same attributes and children. */
export function svgElement(name, attributes, ...children) {
  const node = document.createElementNS(svgNamespace, name);
  setAttributes(node, attributes ?? {});
  append(node, children);
  return node;
}

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (assigned.has(name)) node[name] = value;
    else if (value !== false) node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** Appends children as `element` does. */
export function append(node, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Replaces the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** A button that doesn't submit a form. */
export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

/** A button that shows an icon and has a name for screen readers. */
export function iconButton(iconNode, label, onclick, attributes = {}) {
  return element(
    "button", { type: "button", class: "icon-button", title: label, "aria-label": label, onclick, ...attributes }, iconNode
  );
}

/** Tells a sentence to screen readers. */
export function announce(sentence) {
  const region = document.getElementById("announcements");
  if (!region) return;
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = sentence; });
}

/** Calls a function when no call came for some milliseconds. */
export function debounce(delay, call) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), delay);
  };
}
