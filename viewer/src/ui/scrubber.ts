// The bar that shows where in time the play head is and moves it.

import { statusCurve, type Source } from "../source/source";
import { colours, fitCanvas } from "../plot/draw";
import { marked } from "../plot/thin";
import { h, setText } from "./dom";
import { fixed, solveFailed, timeDecimals } from "./format";

const REDRAW_MS = 500;

export class Scrubber {
  readonly element: HTMLElement;
  onScrub: (time: number) => void = () => {};
  private readonly fill = h("div", { class: "fill" });
  private readonly knob = h("div", { class: "knob" });
  private readonly marks = h("canvas", { class: "marks" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly decimals: number;
  private drawnVersion = -1;
  private drawnAt = -Infinity;

  constructor(private readonly source: Source) {
    this.decimals = timeDecimals(source.hello.settings.dt);
    this.element = h(
      "div",
      { class: "scrubber", role: "slider", tabindex: 0, "aria-label": "Time", "aria-valuemin": 0 },
      h("div", { class: "track" }, this.fill),
      this.marks,
      this.knob,
      this.tip,
    );
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(this.element);
  }

  redraw(): void {
    this.drawnVersion = -1;
  }

  /** Marks the failed solves, when there is news. */
  tick(now: number): void {
    if (this.source.version === this.drawnVersion || now - this.drawnAt < REDRAW_MS) return;
    this.drawnVersion = this.source.version;
    this.drawnAt = now;
    const status = statusCurve(this.source);
    const context = fitCanvas(this.marks);
    if (!status || !context) return;
    const { start, end } = this.range();
    const [width, height] = [this.marks.clientWidth, this.marks.clientHeight];
    context.clearRect(0, 0, width, height);
    context.fillStyle = colours(this.marks).bad;
    for (const x of marked(status, start, end, width, solveFailed)) context.fillRect(x - 0.75, 0, 1.5, height);
  }

  update(time: number): void {
    const { start, end } = this.range();
    const percent = end > start ? Math.max(0, Math.min(100, (100 * (time - start)) / (end - start))) : 0;
    this.fill.style.width = `${percent}%`;
    this.knob.style.left = `${percent}%`;
    this.element.setAttribute("aria-valuemin", String(start));
    this.element.setAttribute("aria-valuemax", String(end));
    this.element.setAttribute("aria-valuenow", String(time));
    this.element.setAttribute("aria-valuetext", `${fixed(time, this.decimals)} s`);
  }

  private range(): { start: number; end: number } {
    const { source } = this;
    return source.last < source.first ? { start: 0, end: 0 } : { start: source.timeOf(source.first), end: source.timeOf(source.last) };
  }

  private listen(): void {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      this.onScrub(this.timeAt(event));
    });
    element.addEventListener("pointermove", (event) => {
      const time = this.timeAt(event);
      if (element.hasPointerCapture(event.pointerId)) this.onScrub(time);
      this.tip.hidden = false;
      setText(this.tip, `${fixed(time, this.decimals)} s`);
      const box = element.getBoundingClientRect();
      const half = this.tip.offsetWidth / 2;
      this.tip.style.left = `${Math.max(half, Math.min(box.width - half, event.clientX - box.left))}px`;
    });
    element.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  private timeAt(event: PointerEvent): number {
    const box = this.element.getBoundingClientRect();
    const { start, end } = this.range();
    return start + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (end - start);
  }
}
