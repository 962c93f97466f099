// The views by their addresses: `#/objects/Player?where=score > 5`.

/** Returns the address of a view. */
export function link(view, part = null, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== undefined && value !== "") query.set(name, value);
  const text = query.toString();
  return `#/${view}${part === null ? "" : "/" + encodeURIComponent(part).replaceAll("%3A", ":")}${text ? "?" + text : ""}`;
}

/** Returns the place that the address bar names. */
export function currentPlace() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, part] = path.split("/");
  return {
    view: view || "objects", part: part === undefined ? null : decode(part),
    parameters: Object.fromEntries(new URLSearchParams(query ?? "")),
  };
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Goes to another place. */
export function go(view, part = null, parameters = {}) { location.hash = link(view, part, parameters); }

/** Replaces the place, so that the back button skips the former one. */
export function replacePlace(view, part = null, parameters = {}) {
  history.replaceState(null, "", link(view, part, parameters));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
