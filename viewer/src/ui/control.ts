// Right panel, live only: what one may do to the simulation.

import type { Hello, Status } from "../types";
import type { Source } from "../source/source";
import { h } from "./dom";
import { number } from "./format";

export class ControlPanel {
  readonly element: HTMLElement;
  private readonly pause: HTMLButtonElement;
  private readonly solver: HTMLSelectElement;
  private readonly tolerance: HTMLInputElement;
  private readonly info = h("p", { class: "muted" });
  private paused = false;

  constructor(
    hello: Hello,
    private readonly source: Source,
  ) {
    this.pause = this.button("Pause", "Halt or continue the simulation", () => source.send({ type: "pause", value: !this.paused }));
    this.solver = h(
      "select",
      { "aria-label": "Solver", change: () => source.send({ type: "solver", name: this.solver.value }) },
      ...hello.solvers.map((name) => h("option", { value: name, selected: name === hello.settings.solver }, name)),
    );
    this.tolerance = h("input", {
      type: "text",
      inputmode: "decimal",
      value: hello.settings.tolerance,
      "aria-label": "Tolerance, N s and m/s",
      change: () => this.sendTolerance(),
    });
    this.element = h(
      "fieldset",
      { disabled: !hello.control },
      h("legend", {}, "Simulation"),
      !hello.control && h("p", { class: "muted" }, "Opened without the token: view only."),
      h(
        "div",
        { class: "buttons" },
        this.pause,
        this.button("Step", "One time step", () => source.send({ type: "step", count: 1 })),
        this.button("Reset", "Back to the start (r)", () => source.send({ type: "reset" })),
      ),
      h("label", {}, "solver", this.solver),
      h("label", { title: "Residual below which a solve counts as converged" }, "tolerance", this.tolerance, h("span", { class: "unit" }, "N s, m/s")),
      this.info,
    );
  }

  setStatus(status: Status): void {
    this.paused = status.paused;
    this.pause.textContent = status.paused ? "Resume" : "Pause";
    if (document.activeElement !== this.solver) this.solver.value = status.solver;
    if (document.activeElement !== this.tolerance) this.tolerance.value = String(status.tolerance);
    const viewers = `${status.viewers} ${status.viewers === 1 ? "viewer" : "viewers"}`;
    const dropped = status.dropped > 0 ? `, ${status.dropped} frames dropped` : "";
    this.info.textContent = `${number(status.real_time_factor, 3)} × real time, ${viewers}${dropped}`;
  }

  private sendTolerance(): void {
    const value = Number(this.tolerance.value);
    if (value > 0 && Number.isFinite(value)) this.source.send({ type: "tolerance", value });
    else this.source.events.onError(`The tolerance must be a positive number, not "${this.tolerance.value}".`);
  }

  private button(text: string, title: string, click: () => void): HTMLButtonElement {
    return h("button", { type: "button", title, click }, text);
  }
}
