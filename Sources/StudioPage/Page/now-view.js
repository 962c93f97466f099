// What happens in the store now: rates of the last minutes, saves as they come, and the activity of the database.
import { activityNodes } from "./activity.js";
import { get } from "./api.js";
import { button, element, fill } from "./dom.js";
import { listen, liveState } from "./events.js";
import { Plot } from "./plot.js";
import { rememberSaves, saveLine } from "./saves-list.js";
import { session } from "./session.js";
import { emptyNode, errorNode } from "./status.js";
import { table } from "./table.js";
import { countText, sizeText } from "./values.js";

const shownCount = 60;

/** Shows the view. */
export function showNow(root, place, signal) {
  new NowView(root, signal).start();
}

class NowView {
  constructor(root, signal) {
    Object.assign(this, { root, signal, isPaused: false, sizes: [] });
    this.plots = {
      saves: new Plot("saves"), objects: new Plot("changed objects"), bytes: new Plot("size", { isLine: true }),
    };
    this.saves = element("ol", { class: "save-list live", "aria-label": "Saves" });
    this.activity = element("div", { class: "stack" });
    this.rates = element("div", { class: "stack" });
    this.notice = element("div");
    this.state = element("span", { class: "live-state", role: "status" });
  }

  start() {
    const pause = button("Pause", () => {
      this.isPaused = !this.isPaused;
      fill(pause, this.isPaused ? "Continue" : "Pause");
    });
    const card = (title, content, place) => element(
      "section", { class: `card ${place}` }, element("header", { class: "card-header" }, element("h2", {}, title)), content
    );
    fill(this.root, element("div", { class: "view" },
      element(
        "header", { class: "view-header" }, element("h1", {}, "Now", this.state), element("div", { class: "toolbar" }, pause)
      ), this.notice,
      element("div", { class: "plots" }, Object.values(this.plots).map((plot) => plot.node)),
      element("div", { class: "columns" },
        element(
          "div", { class: "stack" }, card("Activity", this.activity, ""), card("Last five minutes", this.rates, "")
        ),
        card("Saves", this.saves, "side-column"))));
    this.showState(liveState());
    this.listen();
    this.loadSaves();
    this.loadActivity();
  }

  listen() {
    const unlessPaused = (call) => (document) => { if (!this.isPaused) call(document); };
    listen("state", (state) => this.showState(state), this.signal);
    listen("opened", (store) => this.showModelChange(store), this.signal);
    // The events contain the saves after the store was opened, which may be later than the first list.
    listen("opened", unlessPaused(() => this.loadSaves()), this.signal);
    listen("rates", unlessPaused((document) => this.showRates(document)), this.signal);
    listen("activity", unlessPaused((document) => this.showActivity(document)), this.signal);
    listen("save", unlessPaused((row) => this.showSave(row, true)), this.signal);
  }

  /** Shows the newest saves at once, without waiting for events. */
  loadSaves() {
    get("history/list", { limit: 20 }, this.signal).then(({ rows }) => rows.forEach((row) => this.showSave(row, false)))
      .catch((error) => { if (error.name !== "AbortError") fill(this.saves, element("li", {}, errorNode(error))); });
  }

  /** Shows the activity at once, without waiting for events. */
  loadActivity() {
    get("activity", { statements: 1 }, this.signal).then((document) => this.showActivity(document))
      .catch((error) => { if (error.name !== "AbortError") fill(this.activity, errorNode(error)); });
  }

  showState(state) {
    const isGood = state === "live" || state === "connecting";
    this.state.className = `live-state ${state === "live" ? "on" : isGood ? "" : "off"}`;
    fill(this.state, state);
  }

  /** The page knows the model that it was loaded with. */
  showModelChange({ fingerprint }) {
    if (!fingerprint || fingerprint === session.model.fingerprint) return;
    fill(this.notice, emptyNode("The store has another model now.", "Save or discard your changes, and load the page again."));
  }

  showActivity(document) { fill(this.activity, activityNodes(document)); }

  showSave(row, isNew) {
    const number = String(row.save);
    if (this.saves.querySelector(`[data-save="${CSS.escape(number)}"]`)) return;
    rememberSaves([row]);
    const line = saveLine(row);
    line.dataset.save = number;
    if (isNew) line.classList.add("arrived");
    // An event may come before the list of former saves.
    const older = [...this.saves.children].find((other) => Number(other.dataset.save) < Number(number));
    this.saves.insertBefore(line, older ?? null);
    while (this.saves.children.length > shownCount) this.saves.lastElementChild.remove();
  }

  showRates(rates) {
    const minutes = Math.round(Number(rates.seconds) / 60);
    const counts = (name) => rates.buckets.map((bucket) => Number(bucket[name]));
    const perSecond = (total) => `${(Number(total) / Number(rates.seconds)).toFixed(2)} per second`;
    this.plots.saves.show(counts("saves"), countText(rates.saves), `in ${minutes} min, ${perSecond(rates.saves)}`);
    this.plots.objects.show(counts("objects"), countText(rates.objects), `in ${minutes} min, ${perSecond(rates.objects)}`);
    if (rates.bytes !== null) {
      this.sizes = [...this.sizes, Number(rates.bytes)].slice(-150);
      const added = Number(rates.bytesAdded ?? 0);
      this.plots.bytes.show(this.sizes, sizeText(rates.bytes), `${added < 0 ? "−" : "+"}${sizeText(Math.abs(added))} in ${minutes} min`);
    }
    const number = (name) => ({ title: name, isNumber: true, value: (row) => countText(row[name]) });
    fill(this.rates, rates.entities.length ? [
      table(
        [{ title: "entity", value: (row) => row.entity }, ...["saves", "inserted", "updated", "deleted"].map(number)],
        rates.entities, "Changes by entity"
      ),
      table(
        [{ title: "author", value: (row) => row.author ?? "–" }, ...["saves", "objects"].map(number)], rates.authors,
        "Saves by author"
      ),
    ] : element("p", { class: "quiet" }, "No saves."));
  }
}
