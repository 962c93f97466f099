// Measures the contrast of all visible text of the studio's page with what is behind it. A browser that shows the page runs this text
// as a function; it returns the texts that WCAG's level AA forbids: below 4.5, or below 3 for large text. Disabled controls are exempt.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const pixel = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  // A color that the canvas doesn't know, such as the fill `none`, leaves this one.
  canvas.fillStyle = "transparent";
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return { parts: [red, green, blue], alpha: alpha / 255 };
};
const luminance = (parts) => {
  const [red, green, blue] = parts.map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const over = (front, alpha, back) => front.map((part, index) => part * alpha + back[index] * (1 - alpha));
const ancestors = (node) => node ? [node, ...ancestors(node.parentElement)] : [];
const opacity = (node) => ancestors(node).reduce((product, other) => product * Number(getComputedStyle(other).opacity), 1);

/** The layers behind a text, the nearest first: in a diagram the shapes that the point of the text is in, else the ancestors. */
function layers(node) {
  const image = node.closest("svg");
  if (!image) return ancestors(node).map((other) => pixel(getComputedStyle(other).backgroundColor));
  const { left, top, width, height } = node.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const shapes = [...image.querySelectorAll("rect, path.head")].filter((shape) => {
    const box = shape.getBoundingClientRect();
    return shape.checkVisibility() && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  });
  return [...shapes.reverse().map((shape) => pixel(getComputedStyle(shape).fill)), ...layers(image.parentElement)];
}

function background(node) {
  const found = layers(node);
  const opaque = found.findIndex((layer) => layer.alpha === 1);
  const [page, ...upper] = (opaque < 0 ? [...found, pixel("Canvas")] : found.slice(0, opaque + 1)).reverse();
  return upper.reduce((back, layer) => over(layer.parts, layer.alpha, back), page.parts);
}

const failures = [];
let count = 0;

function measure(node, style, text) {
  if (text.trim() === "" || !node.checkVisibility({ visibilityProperty: true })) return;
  if (node.closest(":disabled, .hidden-text, .skip-link, dialog:not([open])")) return;
  count += 1;
  const back = background(node);
  const color = pixel(node.closest("svg") ? style.fill : style.color);
  const front = over(color.parts, color.alpha * opacity(node), back);
  const [dark, light] = [luminance(front), luminance(back)].sort((first, second) => first - second);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio >= (isLarge ? 3 : 4.5)) return;
  failures.push(`${ratio.toFixed(2)} “${text.trim().slice(0, 40)}” in ${node.tagName.toLowerCase()}.${node.className?.baseVal ?? node.className}`);
}

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const node = texts.currentNode.parentElement;
  if (!node.closest("noscript, option, script, style")) measure(node, getComputedStyle(node), texts.currentNode.data);
}
for (const field of document.querySelectorAll("input, textarea, select")) {
  const isEmpty = field.value === "" && field.placeholder;
  measure(field, getComputedStyle(field, isEmpty ? "::placeholder" : null), isEmpty ? field.placeholder : field.value);
}
return { count, failures };
