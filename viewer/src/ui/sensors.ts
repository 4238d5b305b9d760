// Right panel: the values of the sensors of a model file.

import type { Frame, Hello } from "../types";
import { h } from "./dom";
import { Readout } from "./readout";

export class SensorPanel {
  /** null if there are none. */
  readonly element: HTMLElement | null;
  private readonly updates: ((frame: Frame) => void)[] = [];

  constructor(hello: Hello) {
    const readout = new Readout();
    hello.signals.forEach(({ name, unit, kind }, i) => {
      if (kind !== "sensor") return;
      const value = readout.value(name, unit === "1" ? "" : unit, name);
      this.updates.push((frame) => value.set(frame.signals[i]));
    });
    this.element = this.updates.length === 0 ? null : h("section", { class: "sensors", "aria-label": "Sensors" }, h("h3", {}, "Sensors"), readout.element);
  }

  update(frame: Frame): void {
    for (const update of this.updates) update(frame);
  }
}
