// The contacts of a selected body: the other body and the force along and across the normal.

import type { Frame, Hello } from "../types";
import { OPEN, SLIP } from "../types";
import { h } from "./dom";
import { number, vector } from "./format";

/** Rows at most; the strongest are shown. */
const MOST = 12;

interface Touch {
  other: string;
  /** Force on the body in the chosen axes, N. */
  force: number[];
  normal: number;
  friction: number;
  gap: number;
  kind: number;
}

export class TouchList {
  readonly element: HTMLElement;
  private readonly count = h("span", { class: "muted" });
  private readonly total = h("p", { class: "total number" });
  private readonly body = h("tbody");
  private readonly table: HTMLElement;

  constructor(
    private readonly hello: Hello,
    private readonly selected: number,
    /** A vector of the world in the axes that are chosen. */
    private readonly turned: (v: ArrayLike<number>, frame: Frame) => ArrayLike<number>,
  ) {
    const head = [
      ["with", "Body in contact"],
      ["normal", "Force along the normal, N"],
      ["friction", "Force across the normal, N"],
      ["force x y z", "Force on this body in the chosen axes, N"],
    ];
    const cells = head.map(([text, title]) => h("th", { title, scope: "col" }, text));
    this.table = h("table", { "aria-label": "Contacts" }, h("thead", {}, h("tr", {}, ...cells)), this.body);
    this.element = h("section", { class: "touches" }, h("h3", {}, "Contacts ", this.count), this.total, this.table);
  }

  update(frame: Frame): void {
    const all = this.read(frame);
    const sum = [0, 1, 2].map((k) => all.reduce((total, touch) => total + touch.force[k], 0));
    const words = all.length === 0 ? "none" : all.length > MOST ? `${all.length}, the strongest ${MOST} below` : String(all.length);
    if (this.count.textContent !== words) this.count.textContent = words;
    this.total.textContent = all.length === 0 ? "" : `together ${vector(sum).join("  ")} N`;
    this.table.hidden = all.length === 0;
    all.sort((a, b) => b.normal - a.normal);
    this.body.replaceChildren(...all.slice(0, MOST).map(row));
  }

  private read(frame: Frame): Touch[] {
    const { shapes, bodies } = this.hello.model;
    const found: Touch[] = [];
    for (let i = 0; i < frame.contactShapes.length / 2; i++) {
      const [a, b] = [shapes[frame.contactShapes[2 * i]], shapes[frame.contactShapes[2 * i + 1]]];
      if (a.body !== this.selected && b.body !== this.selected) continue;
      const at = 12 * i;
      const other = b.body === this.selected ? a : b;
      // The force of a frame acts on the second body.
      const sign = b.body === this.selected ? 1 : -1;
      const n = frame.contacts.subarray(at + 3, at + 6);
      const f = frame.contacts.subarray(at + 6, at + 9);
      const normal = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
      found.push({
        other: other.body === null ? "world" : bodies[other.body].name,
        force: Array.from(this.turned(f, frame), (x) => sign * x),
        normal,
        friction: Math.hypot(f[0] - normal * n[0], f[1] - normal * n[1], f[2] - normal * n[2]),
        gap: frame.contacts[at + 9],
        kind: frame.contacts[at + 11],
      });
    }
    return found;
  }
}

function row(touch: Touch): HTMLElement {
  const state = touch.kind === OPEN ? "open" : touch.kind === SLIP ? "slips" : "sticks";
  const cells = [number(touch.normal), number(touch.friction), vector(touch.force).join("  ")];
  return h("tr", { class: state, title: `${state}; gap ${number(touch.gap, 3)} m` }, h("th", { scope: "row" }, touch.other), ...cells.map((text) => h("td", { class: "number" }, text)));
}
