// Collects what is wrong with the layout of a page, as sentences. An expression: its value is the array of sentences.
(() => {
  const problems = [];
  const own = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const short = (element) => {
    const text = (element.textContent || element.tagName).trim().replace(/\s+/g, " ").slice(0, 40);
    return `“${text}” (${element.tagName.toLowerCase()}${element.className && typeof element.className === "string" ? "." + element.className.split(" ")[0] : ""})`;
  };
  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };

  // A scroll bar below the whole page, and the elements that cause it.
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > width + 1);
    problems.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${width}: ${wide.slice(-3).map(short).join(", ")}`);
  }

  // What screen readers and search engines need.
  if (!document.documentElement.lang) problems.push("the page has no language");
  if (!document.title.trim()) problems.push("the page has no title");
  const headings = [...document.querySelectorAll("h1")].filter(isShown);
  if (headings.length !== 1) problems.push(`the page has ${headings.length} visible headings of the first level`);
  if (!document.querySelector("main, [role=main]")) problems.push("the page has no main part");
  for (const image of document.querySelectorAll("img")) {
    if (!image.hasAttribute("alt")) problems.push(`an image has no alternative text: ${image.src}`);
    if (image.complete && image.naturalWidth === 0) problems.push(`an image can't be shown: ${image.src}`);
  }
  for (const element of document.querySelectorAll("a[href], button, input")) {
    const name = element.getAttribute("aria-label") || element.textContent.trim() || element.title || element.placeholder || element.labels?.length || element.getAttribute("aria-labelledby");
    if (isShown(element) && !element.closest("[aria-hidden=true]") && !name && !element.querySelector("[alt], svg title")) problems.push(`a control has no name: ${element.outerHTML.slice(0, 80)}`);
  }

  // The contrast of text, by WCAG 2.1: 4.5, or 3 for large text.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function rgba(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }
  const over = (above, below) => [0, 1, 2].map((i) => above[i] * above[3] + below[i] * (1 - above[3])).concat(1);
  function background(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null;
      layers.push(rgba(style.backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    const page = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return layers.reduceRight((below, above) => over(above, below), page);
  }
  const channel = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  function checkContrast(element) {
    const style = getComputedStyle(element);
    const behind = background(element);
    if (!behind) return;
    const [light, dark] = [luminance(over(rgba(style.color), behind)), luminance(behind)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight, 10) >= 700);
    if (ratio < (isLarge ? 3 : 4.5) - 0.005) {
      problems.push(`the contrast of ${short(element)} is ${ratio.toFixed(2)}: ${style.color} on rgb(${behind.slice(0, 3).map(Math.round)})`);
    }
  }
  const trees = [document, ...[...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean)];
  for (const tree of trees) {
    for (const element of tree.querySelectorAll("*")) {
      if (!["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].includes(element.tagName) && own(element) && isShown(element)) checkContrast(element);
    }
  }

  // Lines of running text that are too long to read.
  for (const paragraph of document.querySelectorAll("main p")) {
    const size = parseFloat(getComputedStyle(paragraph).fontSize);
    if (own(paragraph) && isShown(paragraph) && paragraph.clientWidth > size * 60) {
      problems.push(`the lines of ${short(paragraph)} are ${Math.round(paragraph.clientWidth / size)} em long`);
    }
  }
  return [...new Set(problems)];
})()
