// The frame of the page: bar on top, panels left and right, timeline and plots below, the 3-D view in the middle.

import { h, iconButton } from "./dom";
import { edge } from "./resize";

/** Windows narrower than this (CSS pixels) start without the left and the right panel. */
const LEFT_FROM = 1000;
const RIGHT_FROM = 760;
/** Windows lower than this start without plots. */
const PLOTS_FROM = 560;

type Part = "left" | "right" | "plots";

export class Layout {
  readonly canvas = h("canvas", { class: "world", "aria-label": "3-D view" });
  readonly bar = h("header", { class: "bar" });
  /** Below the 3-D view while it is alone. */
  readonly caption = h("div", { class: "caption number" });
  readonly left = h("aside", { class: "panel left", "aria-label": "Bodies" });
  readonly right = h("aside", { class: "panel right", "aria-label": "Details" });
  readonly bottom = h("footer", { class: "bottom" });
  private readonly stage = h("main", { class: "stage" }, this.canvas, this.caption);
  private readonly buttons = new Map<Part, HTMLButtonElement>();

  constructor(
    private readonly root: HTMLElement,
    banners: HTMLElement,
    toasts: HTMLElement,
  ) {
    root.replaceChildren(this.bar, banners, this.left, this.stage, this.right, this.bottom, toasts);
    this.stage.append(
      edge(root, { name: "left", label: "Width of the list of bodies", grows: "right", range: [140, 640], measure: () => this.left.offsetWidth }),
      edge(root, { name: "right", label: "Width of the details", grows: "left", range: [340, 900], measure: () => this.right.offsetWidth }),
      edge(root, {
        name: "plot",
        label: "Height of the plots",
        grows: "up",
        range: [60, 600],
        measure: () => this.bottom.querySelector<HTMLElement>(".plot .area")?.offsetHeight ?? 0,
        shares: () => new Set([...this.bottom.querySelectorAll<HTMLElement>(".plot")].map((plot) => plot.offsetTop)).size,
      }),
    );
    this.set("left", innerWidth >= LEFT_FROM);
    this.set("right", innerWidth >= RIGHT_FROM);
    this.set("plots", innerHeight >= PLOTS_FROM);
  }

  /** Called when the canvas has another size. */
  onResize(resized: () => void): void {
    new ResizeObserver(resized).observe(this.stage);
  }

  /** A button that shows and hides a part. */
  toggleButton(part: Part, title: string): HTMLButtonElement {
    const button = iconButton(part === "plots" ? "chart" : part, title, () => this.set(part, !this.shows(part)));
    button.setAttribute("aria-pressed", String(this.shows(part)));
    this.buttons.set(part, button);
    return button;
  }

  /** Only the 3-D view with a caption, or everything. */
  set bare(bare: boolean) {
    this.root.classList.toggle("bare", bare);
  }

  get bare(): boolean {
    return this.root.classList.contains("bare");
  }

  private shows(part: Part): boolean {
    return !this.root.classList.contains(`no-${part}`);
  }

  private set(part: Part, shown: boolean): void {
    this.root.classList.toggle(`no-${part}`, !shown);
    this.buttons.get(part)?.setAttribute("aria-pressed", String(shown));
  }
}
