// A row with a slider and an entry for one number of a live simulation.

import type { SourceEvents } from "../source/source";
import { h, setText } from "./dom";
import { Throttle } from "./throttle";

export interface SliderOptions {
  /** Description of the number, e.g. "Target of A.angle". */
  label: string;
  name: string;
  /** Text to the right of the name; null for none. */
  note: HTMLElement | string | null;
  unit: string;
  range: [number, number];
  /** Whether the range lies about the first value shown instead of 0. */
  about?: boolean;
  send: (value: number) => void;
  events: SourceEvents;
}

export class SliderRow {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly entry: HTMLInputElement;
  private about: boolean;

  constructor(private readonly options: SliderOptions) {
    this.about = options.about ?? false;
    const { label, name, unit, range, send, events } = options;
    const [min, max] = range;
    const throttle = new Throttle();
    const slid = () => {
      this.entry.value = String(Number(Number(this.slider.value).toPrecision(6)));
      throttle.call(() => send(Number(this.slider.value)));
    };
    const entered = () => {
      const value = Number(this.entry.value);
      if (this.entry.value.trim() === "" || !Number.isFinite(value)) {
        events.onError(`${label} must be a number, not "${this.entry.value}".`);
      } else {
        this.slider.value = this.entry.value;
        send(value);
      }
    };
    this.slider = h("input", { type: "range", min, max, step: (max - min) / 1000, "aria-label": label, input: slid });
    // A slider keeps the focus after the mouse has left it, and would no longer follow the simulation.
    this.slider.addEventListener("pointerup", () => this.slider.blur());
    this.entry = h("input", { type: "text", inputmode: "decimal", "aria-label": unit ? `${label}, ${unit}` : `${label}, number`, change: entered });
    this.element = h(
      "div",
      { class: "drive" },
      h("div", { class: "names" }, h("span", { class: "name", title: name }, name), h("span", { class: "muted" }, options.note)),
      this.slider,
      this.entry,
      h("span", { class: "unit" }, unit),
    );
  }

  /** Show the simulation's value, unless the user has the row in hand or there is none. */
  show(value: number): void {
    if (!Number.isFinite(value) || document.activeElement === this.slider || document.activeElement === this.entry) return;
    const text = String(Number(value.toPrecision(6)));
    if (this.about) {
      const [min, max] = this.options.range;
      Object.assign(this.slider, { min: String(value + min), max: String(value + max) });
      this.about = false;
    }
    if (this.entry.value !== text) this.entry.value = this.slider.value = text;
  }
}

/** A number that follows the simulation, with its unit. */
export function actual(unit: string): { element: HTMLElement; set: (text: string) => void } {
  const value = h("span", { class: "number", title: "Present value" });
  return { element: h("span", {}, "at ", value, ` ${unit}`), set: (text) => setText(value, text) };
}
