// One plot: quantities of one unit over time with the play head; press or drag in it to move the head.

import type { Frame } from "../types";
import type { Quantity } from "../source/quantities";
import { statusCurve, type Source } from "../source/source";
import { h, iconButton, setText } from "../ui/dom";
import { fixed, number, timeDecimals } from "../ui/format";
import { menuButton } from "../ui/menu";
import { colours, curveColour, drawPlot, MARGIN } from "./draw";
import { nearest } from "./thin";

/** A stretch of time, s. */
export interface Range {
  start: number;
  end: number;
}

export class Plot {
  readonly element: HTMLElement;
  readonly unit: string;
  onScrub: (time: number) => void = () => {};
  /** Show a shorter (factor < 1) or longer stretch of time around `time`; null: all of it. */
  onZoom: (zoom: { time: number; factor: number } | null) => void = () => {};
  /** The plot must be drawn again. */
  onChange: () => void = () => {};
  private log: boolean;
  private range: Range = { start: 0, end: 1 };
  /** Of the curve's area when it was drawn, CSS pixels. */
  private width = 0;
  /** What is drawn; the first gave the plot its unit. */
  private quantities: Quantity[];
  private readonly names = h("div", { class: "curves" });
  private values: HTMLElement[] = [];
  private readonly canvas = h("canvas");
  private readonly head = h("div", { class: "head" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly area: HTMLElement;

  constructor(
    quantity: Quantity,
    private readonly source: Source,
    remove: () => void,
    /** Content of the menu that adds a quantity to this plot. */
    addMenu: (plot: Plot, close: () => void) => HTMLElement,
  ) {
    this.log = quantity.log;
    this.quantities = [quantity];
    this.unit = quantity.unit;
    const more = iconButton("plus", `Add a quantity to the plot of ${quantity.label}`, () => {});
    const scale = h(
      "button",
      { class: "toggle", type: "button", title: "Logarithmic axis", "aria-pressed": String(this.log), click: () => this.toggleLog(scale) },
      "log",
    );
    const wide = iconButton("wide", `Let the plot of ${quantity.label} have a row of its own`, () => this.toggleWide(wide));
    wide.setAttribute("aria-pressed", "false");
    this.area = h("div", { class: "area" }, this.canvas, this.head, this.tip);
    this.element = h(
      "section",
      { class: "plot", "aria-label": `Plot of ${quantity.label}` },
      h(
        "header",
        {},
        this.names,
        menuButton(more, `Add to the plot of ${quantity.label}`, (close) => addMenu(this, close)),
        scale,
        wide,
        iconButton("close", `Remove the plot of ${quantity.label}`, remove),
      ),
      this.area,
    );
    this.list();
    this.listen();
  }

  /** Names of what is drawn. */
  get shown(): string[] {
    return this.quantities.map((quantity) => quantity.name);
  }

  /** Draw another quantity of the same unit as well. */
  include(quantity: Quantity): void {
    this.quantities.push(quantity);
    this.list();
    this.onChange();
  }

  draw(range: Range): void {
    const { source } = this;
    this.range = range;
    this.width = this.canvas.clientWidth - MARGIN.left - MARGIN.right - 1;
    drawPlot(this.canvas, {
      ...range,
      curves: this.quantities.map((quantity) => source.series(quantity.name)),
      status: statusCurve(source),
      log: this.log,
    });
  }

  /** The play head and the value there. */
  update(frame: Frame, time: number): void {
    this.quantities.forEach((quantity, i) => setText(this.values[i], number(quantity.read(frame))));
    const { start, end } = this.range;
    const fraction = (time - start) / (end - start || 1);
    // The range is a redraw older than the play head; further out it has been zoomed away.
    this.head.hidden = fraction < 0 || fraction > 1.1;
    const x = MARGIN.left + Math.min(1, fraction) * this.width;
    this.head.style.transform = `translateX(${x}px)`;
  }

  /** Names, colours and values of the curves; more than one can be taken away again. */
  private list(): void {
    const colour = colours(document.documentElement);
    this.values = this.quantities.map(() => h("span", { class: "number" }));
    const rows = this.quantities.map((quantity, i) => {
      const swatch = h("span", { class: "swatch" });
      swatch.style.background = curveColour(colour, i);
      const several = this.quantities.length > 1;
      const leave = several && iconButton("close", `Remove ${quantity.label} from the plot`, () => this.exclude(quantity));
      return h("div", { class: "curve" }, several && swatch, h("span", { class: "name", title: quantity.label }, quantity.label), this.values[i], h("span", { class: "unit" }, quantity.unit), leave);
    });
    this.names.replaceChildren(...rows);
  }

  private exclude(quantity: Quantity): void {
    this.quantities = this.quantities.filter((other) => other !== quantity);
    this.list();
    this.onChange();
  }

  private toggleWide(button: HTMLElement): void {
    const wide = this.element.classList.toggle("wide");
    button.setAttribute("aria-pressed", String(wide));
    this.onChange();
  }

  private toggleLog(button: HTMLElement): void {
    this.log = !this.log;
    button.setAttribute("aria-pressed", String(this.log));
    this.onChange();
  }

  private listen(): void {
    const { area } = this;
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      this.onScrub(this.timeAt(event));
    });
    area.addEventListener("pointermove", (event) => {
      if (area.hasPointerCapture(event.pointerId)) this.onScrub(this.timeAt(event));
      this.hover(event);
    });
    area.addEventListener("dblclick", () => this.onZoom(null));
    area.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      // With shift some browsers report a sideways wheel.
      this.onZoom({ time: this.timeAt(event), factor: (event.deltaY || event.deltaX) < 0 ? 0.7 : 1 / 0.7 });
    });
    area.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  private timeAt(event: MouseEvent): number {
    const { start, end } = this.range;
    const x = event.clientX - this.area.getBoundingClientRect().left - MARGIN.left;
    return start + Math.max(0, Math.min(1, x / this.width)) * (end - start);
  }

  private hover(event: PointerEvent): void {
    const time = this.timeAt(event);
    const points = this.quantities.flatMap((quantity) => {
      const curve = this.source.series(quantity.name);
      const point = curve && nearest(curve, time);
      return point ? [point] : [];
    });
    this.tip.hidden = points.length === 0;
    if (points.length === 0) return;
    const at = fixed(points[0].t, timeDecimals(this.source.hello.settings.dt));
    setText(this.tip, `${points.map((point) => number(point.y)).join(", ")} ${this.unit} at ${at} s`);
    const x = event.clientX - this.area.getBoundingClientRect().left;
    this.tip.style.left = `${Math.max(0, Math.min(x + 10, this.area.clientWidth - this.tip.offsetWidth - 2))}px`;
  }
}
