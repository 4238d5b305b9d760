// Edges of panels that can be dragged, moved by arrow keys, and put back by a double click. Sizes are remembered.

import { h } from "./dom";
import { recall, remember } from "./settings";

/** One arrow key, CSS pixels. */
const KEY_STEP = 16;

export interface EdgeOptions {
  /** Name of the size; the CSS variable is `--NAME`. */
  name: string;
  label: string;
  /** What the size grows with: to the right, to the left or upwards. */
  grows: "right" | "left" | "up";
  range: [number, number];
  /** The present size, CSS pixels. */
  measure: () => number;
  /** Things that share a growth, e.g. rows of plots. */
  shares?: () => number;
}

/** The edge of a panel whose size is a CSS variable of `root`. */
export function edge(root: HTMLElement, options: EdgeOptions): HTMLElement {
  const { name, label, grows, range, measure } = options;
  const set = (size: number) => {
    const kept = Math.round(Math.max(range[0], Math.min(range[1], size)));
    root.style.setProperty(`--${name}`, `${kept}px`);
    remember(`size.${name}`, String(kept));
  };
  const forget = () => {
    root.style.removeProperty(`--${name}`);
    remember(`size.${name}`, "");
  };
  const before = Number(recall(`size.${name}`) || NaN);
  if (Number.isFinite(before)) set(before);

  const shares = () => Math.max(1, options.shares?.() ?? 1);
  let held: { at: number; size: number } | null = null;
  const along = (event: PointerEvent) => (grows === "up" ? -event.clientY : grows === "left" ? -event.clientX : event.clientX);
  const element = h("div", {
    class: `edge ${grows}`,
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    "aria-orientation": grows === "up" ? "horizontal" : "vertical",
    title: `${label}: drag, or double click for the usual size`,
    pointerdown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      held = { at: along(event), size: measure() };
      element.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    pointermove: (event: PointerEvent) => {
      if (held) set(held.size + (along(event) - held.at) / shares());
    },
    pointerup: () => (held = null),
    pointercancel: () => (held = null),
    dblclick: forget,
    keydown: (event: KeyboardEvent) => {
      const more = { right: "ArrowRight", left: "ArrowLeft", up: "ArrowUp" }[grows];
      const less = { right: "ArrowLeft", left: "ArrowRight", up: "ArrowDown" }[grows];
      if (event.key !== more && event.key !== less) return;
      // Or the arrow would also step through time.
      event.preventDefault();
      event.stopPropagation();
      set(measure() + (event.key === more ? KEY_STEP : -KEY_STEP));
    },
  });
  return element;
}
