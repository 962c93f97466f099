// The diagram of the model.
import { get } from "./api.js";
import { showModel } from "./diagram.js";
import { fill } from "./dom.js";
import { errorNode } from "./status.js";

/** Shows the view. */
export function showModelView(root, place, signal) {
  const api = { get: (route, parameters) => get(route, parameters, signal), signal };
  showModel(root, api).catch((error) => {
    if (error.name !== "AbortError") fill(root, errorNode(error));
  });
}
