// Right panel, live only: a slider for the target of each driven coordinate.

import type { Axis, Frame, Hello } from "../types";
import type { Source } from "../source/source";
import { h, setText } from "./dom";
import { number } from "./format";
import { modelSize } from "./size";
import { Throttle } from "./throttle";

/** Velocities offered: so many times the range of positions a second. */
const VELOCITY_REACH = 5;

interface Drive {
  coordinate: number;
  /** Its target is a velocity. */
  velocity: boolean;
  slider: HTMLInputElement;
  entry: HTMLInputElement;
  actual: HTMLElement;
}

export class DrivePanel {
  /** null if nothing is driven. */
  readonly element: HTMLElement | null;
  private readonly drives: Drive[] = [];

  constructor(
    private readonly hello: Hello,
    private readonly source: Source,
  ) {
    const size = modelSize(hello.model);
    const rows = hello.model.joints.flatMap((joint) =>
      joint.axes.flatMap((axis, k) => {
        const coordinate = joint.first_coordinate + k;
        return axis.drive && hello.coordinates[coordinate] ? [this.row(coordinate, axis, size)] : [];
      }),
    );
    this.element = rows.length === 0 ? null : h("fieldset", { class: "drives", disabled: !hello.control }, h("legend", {}, "Drive targets"), ...rows);
  }

  update(frame: Frame): void {
    for (const { coordinate, velocity, slider, entry, actual } of this.drives) {
      setText(actual, number((velocity ? frame.rates : frame.coordinates)[coordinate]));
      // Not while the user has it in hand.
      if (document.activeElement === slider || document.activeElement === entry) continue;
      const target = String(Number(frame.targets[coordinate].toPrecision(6)));
      if (entry.value !== target) entry.value = slider.value = target;
    }
  }

  private row(coordinate: number, axis: Axis, size: number): HTMLElement {
    const { name, unit: position } = this.hello.coordinates[coordinate];
    // A drive without stiffness has a velocity for its target.
    const velocity = axis.drive?.stiffness === 0;
    const unit = velocity ? `${position}/s` : position;
    const reach = (position === "rad" ? Math.PI : size) * (velocity ? VELOCITY_REACH : 1);
    const limits = velocity ? null : axis.limits;
    const [min, max] = [limits?.min ?? -reach, limits?.max ?? reach];
    const throttle = new Throttle();
    const send = (value: number) => this.source.send({ type: "target", coordinate, value });
    const slid = () => {
      entry.value = String(Number(Number(slider.value).toPrecision(6)));
      throttle.call(() => send(Number(slider.value)));
    };
    const entered = () => {
      const value = Number(entry.value);
      if (entry.value.trim() === "" || !Number.isFinite(value)) {
        this.source.events.onError(`The target of ${name} must be a number, not "${entry.value}".`);
      } else {
        slider.value = entry.value;
        send(value);
      }
    };
    const slider = h("input", { type: "range", min, max, step: (max - min) / 1000, "aria-label": `Target of ${name}`, input: slid });
    // A slider keeps the focus after the mouse has left it, and would no longer follow the simulation.
    slider.addEventListener("pointerup", () => slider.blur());
    const entry = h("input", { type: "text", inputmode: "decimal", "aria-label": `Target of ${name}, ${unit}`, change: entered });
    const actual = h("span", { class: "number", title: "Where it is" });
    this.drives.push({ coordinate, velocity, slider, entry, actual });
    return h(
      "div",
      { class: "drive" },
      h("div", { class: "names" }, h("span", { class: "name", title: name }, name), h("span", { class: "muted" }, "at ", actual, ` ${unit}`)),
      slider,
      entry,
      h("span", { class: "unit" }, unit),
    );
  }
}
