// The switches of what the 3-D view shows, and what its colours mean.

import type { Display, Theme } from "../types";
import { palettes } from "../world/palette";
import type { World } from "../world/world";
import { h } from "./dom";
import { number } from "./format";

interface Switch {
  name: keyof Display;
  label: string;
  /** Key that toggles it. */
  key: string;
}

export const SWITCHES: Switch[] = [
  { name: "contacts", label: "Contact points", key: "c" },
  { name: "forces", label: "Contact force arrows", key: "a" },
  { name: "cones", label: "Friction cones", key: "o" },
  { name: "joints", label: "Joint axes", key: "j" },
  { name: "limits", label: "Joint limits", key: "i" },
  { name: "reactions", label: "Joint reactions", key: "e" },
  { name: "heat", label: "Closure error as colour", key: "h" },
  { name: "trails", label: "Trails", key: "t" },
  { name: "frames", label: "Body frames", key: "x" },
  { name: "names", label: "Names", key: "n" },
  { name: "grid", label: "Grid", key: "g" },
  { name: "shadows", label: "Shadows", key: "s" },
  { name: "wireframe", label: "Wireframe", key: "w" },
  { name: "collision", label: "Collision shapes", key: "k" },
  { name: "inertia", label: "Inertia boxes", key: "m" },
  { name: "centres", label: "Centres of mass", key: "b" },
];

/** Content of the display menu. */
export function displayMenu(world: World, theme: Theme, toggle: (name: keyof Display) => void): HTMLElement {
  const switches = SWITCHES.map(({ name, label, key }) =>
    h(
      "label",
      { class: "switch" },
      h("input", { type: "checkbox", checked: world.display[name], change: () => toggle(name) }),
      h("span", {}, label),
      h("kbd", {}, key),
    ),
  );
  return h("div", { class: "display-menu" }, ...switches, h("h4", {}, "Legend"), legend(world, theme));
}

function legend(world: World, theme: Theme): HTMLElement {
  const { stick, slip, open, reaction } = palettes[theme];
  const heat = world.heatLegend();
  const entry = (background: string, text: string) => {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = background;
    return h("div", {}, swatch, text);
  };
  const ramp = `linear-gradient(to right, ${heat.map(({ colour }) => colour).join(", ")})`;
  return h(
    "div",
    { class: "legend" },
    entry(stick, "contact sticks"),
    entry(slip, "contact slips"),
    entry(open, "contact open"),
    entry(reaction, "joint reaction"),
    entry(ramp, `closure ${heat[0].label} … ${heat[heat.length - 1].label} m, rad`),
    h("p", { class: "muted" }, `Arrows: 1 m stands for ${number(world.forceScale(), 3)} N`),
    h("p", { class: "muted" }, `Strong grid lines: every ${number(world.gridSpacing(), 3)} m`),
  );
}
