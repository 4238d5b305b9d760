// The right panel: the selected body or the scene, and the controls of a live simulation.

import type { Frame, Hello, Status } from "../types";
import type { Source } from "../source/source";
import { ActuatorPanel } from "./actuators";
import { BodyPanel } from "./body";
import { ControlPanel } from "./control";
import { h } from "./dom";
import { DrivePanel } from "./drives";
import { SensorPanel } from "./sensors";
import { Summary } from "./summary";

export class Inspector {
  readonly element: HTMLElement;
  onDeselect: () => void = () => {};
  private readonly place = h("div", { class: "details" });
  private readonly summary: Summary;
  private readonly control: ControlPanel | null;
  private readonly actuators: ActuatorPanel | null;
  private readonly drives: DrivePanel | null;
  private readonly sensors: SensorPanel;
  private body: BodyPanel | null = null;

  constructor(
    private readonly hello: Hello,
    source: Source,
  ) {
    const live = hello.mode === "live";
    this.summary = new Summary(hello);
    this.control = live ? new ControlPanel(hello, source) : null;
    this.actuators = live ? new ActuatorPanel(hello, source) : null;
    this.sensors = new SensorPanel(hello);
    this.drives = live ? new DrivePanel(hello, source) : null;
    this.place.append(this.summary.element);
    this.element = h("div", {}, this.control?.element ?? null, this.actuators?.element ?? null, this.drives?.element ?? null, this.place, this.sensors.element);
  }

  select(body: number | null): void {
    this.body = body === null ? null : new BodyPanel(this.hello, body, () => this.onDeselect());
    this.place.replaceChildren((this.body ?? this.summary).element);
    // Sliders above may have pushed it out of the panel.
    if (this.body) this.place.scrollIntoView({ block: "start" });
  }

  update(frame: Frame): void {
    (this.body ?? this.summary).update(frame);
    this.actuators?.update(frame);
    this.drives?.update(frame);
    this.sensors.update(frame);
  }

  setStatus(status: Status): void {
    this.summary.setStatus(status);
    this.control?.setStatus(status);
  }
}
