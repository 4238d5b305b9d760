// Right panel: the activations of the actuators and the values of the sensors of a model file.

import type { Frame, Hello, SignalInfo } from "../types";
import { h } from "./dom";
import { Readout } from "./readout";

export class SensorPanel {
  /** null if there are none. */
  readonly element: HTMLElement | null;
  private readonly updates: ((frame: Frame) => void)[] = [];

  constructor(private readonly hello: Hello) {
    const parts = [this.section("Activations", "activation"), this.section("Sensors", "sensor")].filter((part) => part !== null);
    this.element = parts.length === 0 ? null : h("div", {}, ...parts);
  }

  update(frame: Frame): void {
    for (const update of this.updates) update(frame);
  }

  private section(title: string, shown: SignalInfo["kind"]): HTMLElement | null {
    const readout = new Readout();
    const before = this.updates.length;
    this.hello.signals.forEach(({ name, unit, kind }, i) => {
      if (kind !== shown) return;
      const value = readout.value(name, unit === "1" ? "" : unit, name);
      this.updates.push((frame) => value.set(frame.signals[i]));
    });
    if (this.updates.length === before) return null;
    return h("section", { class: "sensors", "aria-label": title }, h("h3", {}, title), readout.element);
  }
}
