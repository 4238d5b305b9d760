// The right panel while no body is selected: the scene and the state of its solver.

import type { Frame, Hello, Status } from "../types";
import { scalarReader } from "../source/quantities";
import { h } from "./dom";
import { number, outcomeText, solveFailed, statusText } from "./format";
import { Readout, type Value } from "./readout";

/** Scalars shown as they come, in this order; those the server does not send are left out. */
const STEP = ["residual", "residual_velocity", "iterations", "factorizations", "closure_passes", "rows", "step_time"];
const ERRORS = ["closure_linear", "closure_angular", "limit_violation", "penetration"];
const ENERGY = ["energy", "kinetic", "applied_work"];

export class Summary {
  readonly element = h("div");
  private readonly read: (frame: Frame, name: string) => number;
  private readonly scalars: { name: string; value: Value }[] = [];
  private readonly status: Value;
  private readonly outcome: Value;
  private readonly solver: Value;
  private readonly tolerance: Value;
  private readonly contacts: Value;
  private readonly realTime: Value | null;

  constructor(private readonly hello: Hello) {
    this.read = scalarReader(hello);
    const { model, settings } = hello;

    const scene = this.section("Scene");
    for (const [label, count] of [
      ["bodies", model.bodies.length],
      ["joints", model.joints.length],
      ["coordinates", hello.coordinates.length],
      ["shapes", model.shapes.length],
    ] as const) {
      scene.value(label).text(String(count));
    }
    this.contacts = scene.value("contacts");
    scene.vector("gravity", "m/s²", 3).set(model.gravity);

    const solver = this.section("Step");
    solver.value("time step", "s").text(String(settings.dt));
    this.solver = solver.value("solver");
    this.tolerance = solver.value("tolerance", "N s", "Residual, as impulse (N s) and as velocity (m/s), at which a solve counts as converged");
    this.setSolver(settings.solver, settings.tolerance);
    this.status = solver.value("status", "", "How the solve ended");
    this.outcome = solver.value("step", "", "What was done with the result");
    this.realTime = hello.mode === "live" ? solver.value("speed reached", "×", "Multiple of real time") : null;
    this.add(solver, STEP);
    this.add(this.section("Errors"), ERRORS);
    this.add(this.section("Energy"), ENERGY);
  }

  update(frame: Frame): void {
    const status = this.read(frame, "status");
    this.status.text(statusText(status), solveFailed(status) ? "bad" : status === 0 ? "good" : "");
    const outcome = this.read(frame, "outcome");
    this.outcome.text(outcomeText(outcome), outcome === 1 ? "bad" : "");
    this.contacts.text(String(frame.contactShapes.length / 2));
    for (const { name, value } of this.scalars) value.set(this.read(frame, name));
  }

  setStatus(status: Status): void {
    this.setSolver(status.solver, status.tolerance);
    this.realTime?.set(status.real_time_factor);
  }

  private setSolver(name: string, tolerance: number): void {
    this.solver.text(name);
    this.tolerance.text(number(tolerance));
  }

  private section(title: string): Readout {
    const readout = new Readout();
    this.element.append(h("h3", {}, title), readout.element);
    return readout;
  }

  private add(readout: Readout, names: string[]): void {
    for (const name of names) {
      const info = this.hello.scalars.find((scalar) => scalar.name === name);
      if (info) this.scalars.push({ name, value: readout.value(info.label, info.unit) });
    }
  }
}
