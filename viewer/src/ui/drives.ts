// Right panel, live only: a slider for the target of each driven coordinate that no actuator of the model drives.

import type { Axis, Frame, Hello } from "../types";
import type { Source } from "../source/source";
import { h } from "./dom";
import { number } from "./format";
import { modelSize } from "./size";
import { SliderRow, actual } from "./slider";

/** Velocities offered: so many times the range of positions per second. */
const VELOCITY_REACH = 5;

export class DrivePanel {
  /** null if nothing is driven. */
  readonly element: HTMLElement | null;
  private readonly updates: ((frame: Frame) => void)[] = [];

  constructor(
    private readonly hello: Hello,
    private readonly source: Source,
  ) {
    const size = modelSize(hello.model);
    const driven = new Set(hello.actuators.map((actuator) => actuator.coordinate));
    const rows = hello.model.joints.flatMap((joint) =>
      joint.axes.flatMap((axis, k) => {
        const coordinate = joint.first_coordinate + k;
        const free = axis.drive && hello.coordinates[coordinate] && !driven.has(coordinate);
        return free ? [this.row(coordinate, axis, size)] : [];
      }),
    );
    this.element = rows.length === 0 ? null : h("fieldset", { class: "drives", disabled: !hello.control }, h("legend", {}, "Drive targets"), ...rows);
  }

  update(frame: Frame): void {
    for (const update of this.updates) update(frame);
  }

  private row(coordinate: number, axis: Axis, size: number): HTMLElement {
    const { name, unit: position } = this.hello.coordinates[coordinate];
    // A drive without stiffness has a velocity for its target.
    const velocity = axis.drive?.stiffness === 0;
    const unit = velocity ? `${position}/s` : position;
    const reach = (position === "rad" ? Math.PI : size) * (velocity ? VELOCITY_REACH : 1);
    const limits = velocity ? null : axis.limits;
    const at = actual(unit);
    const row = new SliderRow({
      label: `Target of ${name}`,
      name,
      note: at.element,
      unit,
      range: [limits?.min ?? -reach, limits?.max ?? reach],
      about: !velocity && limits === null,
      send: (value) => this.source.send({ type: "target", coordinate, value }),
      events: this.source.events,
    });
    this.updates.push((frame) => {
      at.set(number((velocity ? frame.rates : frame.coordinates)[coordinate]));
      row.show(frame.targets[coordinate]);
    });
    return row.element;
  }
}
