// Modal dialogs.
import { button, element, iconButton } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Shows a dialog; returns a promise of what closed it: the `result` of a button, or null if it was dismissed.
 * `body` may be a function, which gets a function that closes the dialog with a result.
 */
export function showDialog(title, body, buttons = [], className = "") {
  return new Promise((resolve) => {
    let result = null;
    const close = (value) => { result = value; dialog.close(); };
    const content = typeof body === "function" ? body(close) : body;
    const dialog = element("dialog", {
      class: `dialog ${className}`, "aria-labelledby": "dialog-title",
      onclose: () => { dialog.remove(); resolve(result); },
      onclick: (event) => { if (event.target === dialog) dialog.close(); },
    },
    element("div", { class: "dialog-frame" },
      element("header", { class: "dialog-header" },
        element("h2", { id: "dialog-title" }, title), iconButton(icon("close"), "Close", () => dialog.close())),
      element("div", { class: "dialog-body" }, content),
      buttons.length ? element("footer", { class: "dialog-footer" }, buttons.map((item) => makeButton(item, close))) : null));
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector(".dialog-footer .primary"))?.focus();
  });
}

function makeButton({ label, result, kind, hasFocus }, close) {
  return button(label, () => close(result ?? null), { class: `button ${kind ?? ""}`, autofocus: Boolean(hasFocus) });
}
