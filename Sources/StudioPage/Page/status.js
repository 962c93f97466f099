// Errors, empty states and loading states of the views.
import { announce, element } from "./dom.js";
import { icon } from "./icons.js";

/** Shows an error with its remedy and its code. */
export function errorNode(error) {
  announce(error.message);
  return element("div", { class: "notice bad", role: "alert" }, icon("warning"),
    element("div", {},
      element("p", { class: "notice-title" }, error.message),
      error.hint ? element("p", { class: "quiet" }, error.hint) : null,
      error.code ? element("p", { class: "quiet small mono" }, error.code) : null));
}

/** Says that there is nothing to show, or that everything is well. */
export function emptyNode(sentence, remedy = null, isGood = false) {
  return element("div", { class: isGood ? "notice good" : "notice" }, isGood ? icon("done") : null,
    element(
      "div", {}, element("p", { class: "notice-title" }, sentence), remedy ? element("p", { class: "quiet" }, remedy) : null
    ));
}

/** Shows that something is loading, if it takes longer than a moment; CSS delays it. */
export const loadingNode = (sentence = "Loading…") => element("p", { class: "loading quiet", role: "status" }, sentence);

/** Fills a node with what a promise makes, or with its error; nothing is shown once the view was left. */
export async function fillLater(node, signal, load) {
  node.replaceChildren(loadingNode());
  node.setAttribute("aria-busy", "true");
  try {
    const content = await load();
    if (!signal?.aborted) node.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  } catch (error) {
    if (error.name !== "AbortError" && !signal?.aborted) node.replaceChildren(errorNode(error));
  } finally {
    node.removeAttribute("aria-busy");
  }
}

/** Shows a short message at the bottom of the page. */
export function toast(sentence, kind = "") {
  announce(sentence);
  const node = element("p", { class: `toast ${kind}` }, sentence);
  document.body.append(node);
  setTimeout(() => node.remove(), 4000);
}
