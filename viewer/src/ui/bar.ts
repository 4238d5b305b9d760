// The bar at the top: title, state of the solver, views and menus.

import type { Frame, Hello, Status, View } from "../types";
import { scalarReader } from "../source/quantities";
import { h, icon, iconButton, setText } from "./dom";
import { number, shortTitle, solveFailed, statusText } from "./format";
import type { Layout } from "./layout";
import { menuButton } from "./menu";

export const VIEWS: [View, string][] = [
  ["iso", "1"],
  ["front", "2"],
  ["side", "3"],
  ["top", "4"],
];

export interface BarActions {
  /** Content of the display menu. */
  displayMenu: () => HTMLElement;
  view: (name: View) => void;
  /** Names of the model's cameras. */
  cameras: string[];
  lookThrough: (camera: number) => void;
  /** Whether there is no perspective, and to change that. */
  orthographic: () => boolean;
  toggleOrthographic: () => void;
  /** Live, with control: whether a drag on a body always pulls it, and to change that. */
  pull: { on: () => boolean; toggle: () => void } | null;
  fit: () => void;
  toggleTheme: () => void;
  help: () => void;
}

export class Bar {
  private readonly health = h("span", { class: "health" });
  private readonly read: (frame: Frame, name: string) => number;
  private stopped: string | null = null;
  private readonly pull: HTMLButtonElement | null;

  constructor(hello: Hello, layout: Layout, actions: BarActions) {
    this.read = scalarReader(hello);
    this.pull = actions.pull && pullButton(actions.pull);
    const display = h("button", { type: "button", title: "What is shown" }, icon("eye"), "Display");
    const views = h("button", { type: "button", title: "Where to look from" }, icon("cube"), "View");
    const parts = [
      layout.toggleButton("left", "Bodies"),
      h("strong", { class: "title", title: hello.title }, shortTitle(hello.title)),
      h("span", { class: `mode ${hello.mode}` }, hello.mode === "embedded" ? "recording" : hello.mode),
      this.health,
      h("span", { class: "space" }),
      this.pull,
      iconButton("fit", "Fit everything into the view (f)", actions.fit),
      menuButton(views, "Views", (close) => viewMenu(actions, close)),
      menuButton(display, "Display", actions.displayMenu),
      iconButton("theme", "Dark or light (d)", actions.toggleTheme),
      h("button", { type: "button", title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts", click: actions.help }, "?"),
      layout.toggleButton("plots", "Plots"),
      layout.toggleButton("right", "Details"),
    ];
    layout.bar.append(...parts.filter((part) => part !== null));
  }

  togglePull(): void {
    this.pull?.click();
  }

  /** Live: why the run cannot go on, if it cannot. */
  setStatus(status: Status): void {
    this.stopped = status.stopped;
    if (this.stopped !== null) this.tellStopped(this.stopped);
  }

  private tellStopped(why: string): void {
    this.health.dataset.tone = "bad";
    this.health.title = why;
    setText(this.health, `stopped: ${why}`);
  }

  update(frame: Frame): void {
    if (this.stopped !== null) return this.tellStopped(this.stopped);
    this.health.title = "";
    const status = this.read(frame, "status");
    const held = this.read(frame, "outcome") === 1;
    const residual = this.read(frame, "residual");
    this.health.dataset.tone = solveFailed(status) || held ? "bad" : status === 0 ? "good" : "";
    const words = held ? `${statusText(status)}, step held` : statusText(status);
    setText(this.health, Number.isNaN(residual) ? words : `${words} · residual ${number(residual)} N s`);
  }
}

function pullButton({ on, toggle }: NonNullable<BarActions["pull"]>): HTMLButtonElement {
  const click = () => {
    toggle();
    button.setAttribute("aria-pressed", String(on()));
  };
  const title = "Pull bodies by dragging them; with the shift key that is always possible (u)";
  const button = h("button", { type: "button", class: "pull-mode", title, "aria-pressed": String(on()), click }, icon("hand"), "Pull");
  return button;
}

function viewMenu(actions: BarActions, close: () => void): HTMLElement {
  const choices = VIEWS.map(([name, key]) => {
    const click = () => {
      actions.view(name);
      close();
    };
    return h("button", { type: "button", class: "choice", click }, name, h("kbd", {}, key));
  });
  const flat = h(
    "label",
    { class: "switch" },
    h("input", { type: "checkbox", checked: actions.orthographic(), change: actions.toggleOrthographic }),
    h("span", {}, "orthographic"),
    h("kbd", {}, "5"),
  );
  const cameras = actions.cameras.map((name, i) => {
    const click = () => {
      actions.lookThrough(i);
      close();
    };
    return h("button", { type: "button", class: "choice camera", title: `Look through the camera "${name}" of the model`, click }, name);
  });
  const heading = cameras.length > 0 ? [h("h4", {}, "Cameras of the model")] : [];
  return h("div", { class: "choices" }, ...choices, flat, ...heading, ...cameras);
}
