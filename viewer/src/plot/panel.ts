// The row of plots below the timeline, and the menu that adds to it.

import type { Frame } from "../types";
import { quantities, type Group, type Quantity } from "../source/quantities";
import type { Source } from "../source/source";
import { h, icon } from "../ui/dom";
import { menuButton } from "../ui/menu";
import { Plot, type Range } from "./plot";

const DEFAULT = ["residual", "closure_linear", "energy", "iterations"];
const GROUPS: [Group, string][] = [
  ["scalars", "Simulation"],
  ["signals", "Controls, activations, sensors"],
  ["coordinates", "Joint coordinates"],
  ["efforts", "Drives, limits, friction, springs"],
  ["contacts", "Contact forces"],
  ["reactions", "Joint reactions"],
  ["bodies", "Bodies"],
];
/** Choices listed for each group; the filter finds the others. */
const LISTED = 40;
/** Drawing all plots takes a few milliseconds, which the 3-D view needs more. */
const REDRAW_MS = 200;
/** The shortest stretch of time one can zoom to, s. */
const MIN_RANGE = 1e-4;

export class PlotPanel {
  readonly element: HTMLElement;
  /** Button with the menu of quantities. */
  readonly add: HTMLElement;
  onScrub: (time: number) => void = () => {};
  private readonly all: Quantity[];
  private plots: Plot[] = [];
  /** The stretch of time that is shown; null: all. */
  private zoomed: Range | null = null;
  /** Known from the observer, as asking the element would force a layout. */
  private visible = false;
  private dirty = true;
  private drawnVersion = -1;
  private drawnAt = -Infinity;

  constructor(private readonly source: Source) {
    // Everything is drawn over the time.
    this.all = quantities(source.hello).filter(({ name }) => name !== "time");
    this.element = h("div", { class: "plots" });
    const button = h("button", { type: "button", title: "Add a plot" }, icon("plus"), "Plot");
    this.add = menuButton(button, "Add a plot", (close) => this.menu(close));
    for (const name of DEFAULT) this.show(this.all.find((quantity) => quantity.name === name));
    new ResizeObserver(([entry]) => {
      this.visible = entry.contentRect.height > 0;
      this.redraw();
    }).observe(this.element);
  }

  /** Draw at the next opportunity, e.g. because the theme changed. */
  redraw(): void {
    this.dirty = true;
  }

  /** Called once per animation frame; draws only what changed and not too often. */
  tick(now: number): void {
    const { version } = this.source;
    const due = version !== this.drawnVersion && now - this.drawnAt >= REDRAW_MS;
    if (!(this.dirty || due) || !this.visible || this.source.last < this.source.first) return;
    this.dirty = false;
    this.drawnVersion = version;
    this.drawnAt = now;
    const range = this.zoomed ?? this.whole();
    for (const plot of this.plots) plot.draw(range);
  }

  update(frame: Frame, time: number): void {
    if (!this.visible) return;
    for (const plot of this.plots) plot.update(frame, time);
  }

  private show(quantity: Quantity | undefined): void {
    if (!quantity) return;
    const plot = new Plot(quantity, this.source, () => this.remove(plot), (to, close) => this.menu(close, to));
    plot.onScrub = (time) => this.onScrub(time);
    plot.onZoom = (zoom) => this.zoom(zoom);
    plot.onChange = () => this.redraw();
    this.plots.push(plot);
    this.element.append(plot.element);
    this.redraw();
  }

  private whole(): Range {
    const { source } = this;
    return { start: source.timeOf(source.first), end: source.timeOf(source.last) };
  }

  private zoom(zoom: { time: number; factor: number } | null): void {
    const whole = this.whole();
    const { start, end } = this.zoomed ?? whole;
    if (!zoom) {
      this.zoomed = null;
    } else {
      const next = {
        start: Math.max(whole.start, zoom.time - (zoom.time - start) * zoom.factor),
        end: Math.min(whole.end, zoom.time + (end - zoom.time) * zoom.factor),
      };
      const all = next.start <= whole.start && next.end >= whole.end;
      this.zoomed = all ? null : next.end - next.start > MIN_RANGE ? next : this.zoomed;
    }
    this.redraw();
  }

  private remove(plot: Plot): void {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.element.remove();
  }

  /** Quantities to choose: for a plot of its own, or for `plot` those of its unit. */
  private menu(close: () => void, plot: Plot | null = null): HTMLElement {
    const list = h("div", { class: "choices" });
    const fill = (text: string) => {
      const wanted = text.trim().toLowerCase();
      list.replaceChildren(...GROUPS.flatMap(([group, title]) => this.choices(group, title, wanted, close, plot)));
    };
    const filter = h("input", { type: "search", placeholder: "Filter quantities", "aria-label": "Filter quantities", input: () => fill(filter.value) });
    fill("");
    queueMicrotask(() => filter.focus());
    return h("div", { class: "add-plot" }, filter, list);
  }

  private choices(group: Group, title: string, wanted: string, close: () => void, plot: Plot | null): HTMLElement[] {
    const shown = new Set((plot ? [plot] : this.plots).flatMap((other) => other.shown));
    const fits = (q: Quantity) => q.group === group && (!plot || q.unit === plot.unit);
    const matching = this.all.filter((q) => fits(q) && `${q.name} ${q.label}`.toLowerCase().includes(wanted));
    if (matching.length === 0) return [];
    const buttons = matching.slice(0, LISTED).map((quantity) => {
      const click = () => {
        if (plot) plot.include(quantity);
        else this.show(quantity);
        close();
      };
      const unit = h("span", { class: "unit" }, quantity.unit);
      return h("button", { type: "button", class: "choice", disabled: shown.has(quantity.name), click }, quantity.label, unit);
    });
    const more = matching.length - buttons.length;
    const rest = more > 0 ? [h("p", { class: "muted more" }, `and ${more} more: type a part of the name`)] : [];
    return [h("h4", {}, title), ...buttons, ...rest];
  }
}
