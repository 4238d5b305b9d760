// Right panel, live only: stored states to go to, and a slider for the control of each actuator of a model file.

import type { ActuatorInfo, Frame, Hello } from "../types";
import type { Source } from "../source/source";
import { h } from "./dom";
import { number } from "./format";
import { SliderRow, actual } from "./slider";

export class ActuatorPanel {
  /** null if the model has neither actuators nor stored states. */
  readonly element: HTMLElement | null;
  private readonly updates: ((frame: Frame) => void)[] = [];

  constructor(
    private readonly hello: Hello,
    private readonly source: Source,
  ) {
    const parts = [this.keyframes(), this.actuators()].filter((part) => part !== null);
    this.element = parts.length === 0 ? null : h("div", {}, ...parts);
  }

  update(frame: Frame): void {
    for (const update of this.updates) update(frame);
  }

  private keyframes(): HTMLElement | null {
    const { keyframes, control } = this.hello;
    if (keyframes.length === 0) return null;
    const button = (name: string, index: number) => {
      const click = () => this.source.send({ type: "keyframe", index });
      return h("button", { type: "button", title: `Restart from the stored state "${name}", with its controls`, click }, name);
    };
    return h("fieldset", { class: "keyframes", disabled: !control }, h("legend", {}, "Stored states"), h("div", { class: "buttons" }, ...keyframes.map(button)));
  }

  private actuators(): HTMLElement | null {
    const { actuators, control } = this.hello;
    if (actuators.length === 0) return null;
    return h("fieldset", { class: "drives", disabled: !control }, h("legend", {}, "Actuators"), ...actuators.map((a, i) => this.row(a, i)));
  }

  private row(actuator: ActuatorInfo, index: number): HTMLElement {
    const { name, kind, coordinate } = actuator;
    const at = coordinate === null ? null : actual(this.hello.coordinates[coordinate].unit);
    const row = new SliderRow({
      label: `Control of ${name}`,
      name: `${name} (${kind})`,
      note: at?.element ?? null,
      unit: actuator.unit,
      range: actuator.range,
      send: (value) => this.source.send({ type: "control", actuator: index, value }),
      events: this.source.events,
    });
    this.updates.push((frame) => {
      if (at && coordinate !== null) at.set(number(frame.coordinates[coordinate]));
      // The controls are the first of the signals.
      row.show(frame.signals[index]);
    });
    return row.element;
  }
}
