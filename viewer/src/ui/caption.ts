// The caption while the 3-D view is alone: title, time, and a solve that failed.

import type { Frame, Hello } from "../types";
import { scalarReader } from "../source/quantities";
import { h, setText } from "./dom";
import { fixed, shortTitle, solveFailed, statusText, timeDecimals } from "./format";

export class Caption {
  private readonly place = h("span");
  private readonly status = h("span", { "data-tone": "bad" });
  private readonly read: (frame: Frame, name: string) => number;

  constructor(
    private readonly hello: Hello,
    element: HTMLElement,
  ) {
    this.read = scalarReader(hello);
    element.append(this.place, this.status);
  }

  update(frame: Frame): void {
    const { title, settings } = this.hello;
    const status = this.read(frame, "status");
    setText(this.place, `${shortTitle(title)}   ${fixed(frame.time, timeDecimals(settings.dt))} s`);
    setText(this.status, solveFailed(status) ? `   ${statusText(status)}` : "");
  }
}
