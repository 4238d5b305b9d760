// One plot: a quantity over time with the play head; press or drag in it to move the head.

import type { Frame } from "../types";
import type { Quantity } from "../source/quantities";
import { statusCurve, type Source } from "../source/source";
import { h, iconButton, setText } from "../ui/dom";
import { fixed, number, timeDecimals } from "../ui/format";
import { drawPlot, MARGIN } from "./draw";
import { nearest } from "./thin";

/** A stretch of time, s. */
export interface Range {
  start: number;
  end: number;
}

export class Plot {
  readonly element: HTMLElement;
  onScrub: (time: number) => void = () => {};
  /** Show a shorter (factor < 1) or longer stretch of time around `time`; null: all of it. */
  onZoom: (zoom: { time: number; factor: number } | null) => void = () => {};
  /** The plot must be drawn again. */
  onChange: () => void = () => {};
  private log: boolean;
  private range: Range = { start: 0, end: 1 };
  /** Of the curve's area when it was drawn, CSS pixels. */
  private width = 0;
  private readonly value = h("span", { class: "number" });
  private readonly canvas = h("canvas");
  private readonly head = h("div", { class: "head" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly area: HTMLElement;

  constructor(
    readonly quantity: Quantity,
    private readonly source: Source,
    remove: () => void,
  ) {
    this.log = quantity.log;
    const scale = h(
      "button",
      { class: "toggle", type: "button", title: "Logarithmic axis", "aria-pressed": String(this.log), click: () => this.toggleLog(scale) },
      "log",
    );
    this.area = h("div", { class: "area" }, this.canvas, this.head, this.tip);
    this.element = h(
      "section",
      { class: "plot", "aria-label": `Plot of ${quantity.label}` },
      h(
        "header",
        {},
        h("span", { class: "name", title: quantity.label }, quantity.label),
        this.value,
        h("span", { class: "unit" }, quantity.unit),
        scale,
        iconButton("close", `Remove the plot of ${quantity.label}`, remove),
      ),
      this.area,
    );
    this.listen();
  }

  draw(range: Range): void {
    const { source } = this;
    this.range = range;
    this.width = this.canvas.clientWidth - MARGIN.left - MARGIN.right - 1;
    drawPlot(this.canvas, {
      ...range,
      curve: source.series(this.quantity.name),
      status: statusCurve(source),
      log: this.log,
    });
  }

  /** The play head and the value there. */
  update(frame: Frame, time: number): void {
    setText(this.value, number(this.quantity.read(frame)));
    const { start, end } = this.range;
    const fraction = (time - start) / (end - start || 1);
    // The range is a redraw older than the play head; further out it has been zoomed away.
    this.head.hidden = fraction < 0 || fraction > 1.1;
    const x = MARGIN.left + Math.min(1, fraction) * this.width;
    this.head.style.transform = `translateX(${x}px)`;
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
    const curve = this.source.series(this.quantity.name);
    const point = curve && nearest(curve, this.timeAt(event));
    this.tip.hidden = !point;
    if (!point) return;
    const time = fixed(point.t, timeDecimals(this.source.hello.settings.dt));
    setText(this.tip, `${number(point.y)} ${this.quantity.unit} at ${time} s`);
    const x = event.clientX - this.area.getBoundingClientRect().left;
    this.tip.style.left = `${Math.max(0, Math.min(x + 10, this.area.clientWidth - this.tip.offsetWidth - 2))}px`;
  }
}
