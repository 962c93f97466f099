// Adds an object to the pending changes, and shows the form for its values.
import { button, element, fill } from "./dom.js";
import { focusEditor, makeEditor } from "./editor.js";
import { pending } from "./pending.js";
import { failureNodes, lineNode, markLine, plainProperties } from "./property-list.js";
import { go, link } from "./router.js";
import { session } from "./session.js";
import { emptyNode } from "./status.js";

/** Adds an object, and shows its form. */
export function addObject(entity, set = {}) {
  go("object", pending.insert(entity.name, set));
}

/** Shows the form of an object that isn't saved yet. */
export function showNewObject(root, object, signal) {
  const entity = session.model.entity(pending.entry(object)?.entity);
  if (!entity) return fill(
    root, emptyNode("This object was saved or discarded.", "Saved objects are in the list of their entity.")
  );
  const form = new ObjectForm(object, entity);
  const show = () => {
    if (form.isCommitting) return;
    if (pending.entry(object)) fill(root, form.view());
    else go("objects", entity.name);
  };
  pending.addEventListener("change", show, { signal });
  show();
  return form.focusFirst();
}

class ObjectForm {
  constructor(object, entity) {
    Object.assign(
      this, { object, entity, isCommitting: false, properties: plainProperties(entity).filter((property) => property.isEditable) }
    );
  }

  view() {
    this.lines = this.properties.map((property) => this.line(property));
    return element("div", { class: "view" },
      element("header", { class: "view-header" },
        element("div", {}, element(
          "p", { class: "crumbs" }, element("a", { href: link("objects", this.entity.name) }, this.entity.name)
        ),
          element("h1", {}, `New ${this.entity.name}`), element(
            "p", { class: "quiet" }, `Saved with the other changes, which can refer to it as ${this.object}.`
          )),
        element("div", { class: "toolbar" },
          button("Discard", () => pending.discard(this.object)), element(
            "a", { class: "button primary", href: link("changes") }, "Review changes"
          ))),
      element("section", { class: "card" }, element("dl", { class: "properties" }, this.lines)));
  }

  /** A line with an editor, which is made again after each change. */
  line(property) {
    const value = element("dd", { class: "property-value" });
    const line = lineNode(property, value);
    const show = () => {
      const editor = makeEditor(property, pending.value(this.object, property.name, null), {
        unset: property.hasDefault ? "default" : "not set", cancel: show,
        commit: (changed) => {
          const wasFocused = value.contains(document.activeElement);
          this.commit(property, changed);
          show();
          if (wasFocused) this.focusAfter(line);
        },
      });
      fill(value, element("div", { class: "property-content" }, editor, failureNodes(this.object, property)));
      markLine(line, this.object, property);
    };
    show();
    return line;
  }

  /** The form stays as it is, so that the field that gets the focus isn't replaced. */
  commit(property, value) {
    this.isCommitting = true;
    pending.setValue(this.object, property.name, value);
    this.isCommitting = false;
  }

  focusFirst() { if (this.lines?.length) setTimeout(() => focusEditor(this.lines[0])); }

  focusAfter(line) {
    const next = this.lines[this.lines.indexOf(line) + 1];
    if (next) focusEditor(next);
  }
}
