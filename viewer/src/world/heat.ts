// Colour of a joint by how far it is open: a logarithmic scale from rounding errors to millimetres.
import { Color } from "three";

/** Exponents of ten at the ends of the scale. */
const COLD = -14;
const HOT = -3;
/** Blue to red through pale yellow: ordered in lightness as well for colour-blind eyes. */
const RAMP = ["#2166ac", "#4bb3d3", "#f6e8a0", "#f4913e", "#c51b1b"].map((c) => new Color(c));

/** Colour of a closure error (m or rad), written to `out`. NaN is as hot as can be. */
export function heatColour(error: number, out: Color): Color {
  const exponent = Math.log10(Math.max(Math.abs(error), 1e-300));
  const t = Number.isNaN(exponent) ? 1 : Math.min(1, Math.max(0, (exponent - COLD) / (HOT - COLD)));
  const x = t * (RAMP.length - 1);
  const i = Math.min(RAMP.length - 2, Math.floor(x));
  return out.copy(RAMP[i]).lerp(RAMP[i + 1], x - i);
}

/** Rows of a legend: closure errors and their CSS colours. */
export function heatLegend(): { label: string; colour: string }[] {
  const colour = new Color();
  return [-14, -11, -8, -5, -3].map((e) => ({
    label: `${e === COLD ? "≤ " : e === HOT ? "≥ " : ""}1e${e}`,
    colour: `#${heatColour(10 ** e, colour).getHexString()}`,
  }));
}
