// The list of bodies on the left, as a tree; a click selects.

import type { Model, Theme } from "../types";
import { palettes } from "../world/palette";
import { h, icon } from "./dom";
import { bodiesTree, type Entry } from "./kinematics";

/** With more bodies there is a field to filter them. */
const FILTER_FROM = 12;
/** Long chains are not indented out of the panel. */
const MAX_INDENT = 8;

export class Tree {
  readonly element: HTMLElement;
  onSelect: (body: number | null) => void = () => {};
  private readonly rows: { entry: Entry; row: HTMLElement }[];
  private readonly list = h("div", { class: "tree", role: "tree", tabindex: 0, "aria-label": "Bodies" });
  private selected: number | null = null;

  constructor(model: Model) {
    this.rows = bodiesTree(model).map((entry) => ({ entry, row: this.row(entry) }));
    this.list.append(...this.rows.map(({ row }) => row));
    this.list.addEventListener("keydown", (event) => this.typed(event));
    const filter = h("input", {
      type: "search",
      placeholder: "Filter bodies and joints",
      "aria-label": "Filter bodies and joints",
      input: () => this.filter(filter.value),
    });
    this.element = h("div", { class: "tree-panel" }, model.bodies.length > FILTER_FROM && filter, this.list);
  }

  /** Marks a body; called for selections made anywhere. */
  mark(body: number | null): void {
    this.selected = body;
    for (const { entry, row } of this.rows) {
      if (entry.kind !== "body") continue;
      const chosen = entry.body === body;
      row.setAttribute("aria-selected", String(chosen));
      if (chosen) row.scrollIntoView({ block: "nearest" });
    }
  }

  /** Bodies have the same colours as in the 3-D view. */
  setTheme(theme: Theme): void {
    const colours = palettes[theme].bodies;
    for (const { entry, row } of this.rows) {
      if (entry.kind !== "body" || entry.body === null) continue;
      row.querySelector<HTMLElement>(".dot")!.style.background = colours[entry.body % colours.length];
    }
  }

  private row(entry: Entry): HTMLElement {
    const row = h(
      "div",
      {
        class: `row ${entry.kind}`,
        role: "treeitem",
        "aria-level": entry.depth + 1,
        title: entry.kind === "loop" ? `${entry.label} closes a loop: ${entry.detail}` : `${entry.label} ${entry.detail}`,
      },
      entry.kind === "loop" && icon("loop"),
      entry.kind === "body" && h("span", { class: "dot" }),
      h("span", { class: "label" }, entry.label),
      h("span", { class: "detail" }, entry.detail),
    );
    row.style.setProperty("--depth", String(Math.min(entry.depth, MAX_INDENT)));
    if (entry.kind !== "heading") row.addEventListener("click", () => this.onSelect(entry.body));
    return row;
  }

  private filter(text: string): void {
    const wanted = text.trim().toLowerCase();
    for (const { entry, row } of this.rows) {
      row.hidden = !`${entry.label} ${entry.detail}`.toLowerCase().includes(wanted) && entry.kind !== "heading";
    }
  }

  /** Up and down go from body to body. */
  private typed(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const bodies = this.rows.filter(({ entry, row }) => entry.kind === "body" && !row.hidden);
    const at = bodies.findIndex(({ entry }) => entry.body === this.selected);
    const next = bodies[at < 0 ? 0 : Math.max(0, Math.min(bodies.length - 1, at + step))];
    if (next) this.onSelect(next.entry.body);
  }
}
