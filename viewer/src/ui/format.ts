// Numbers as text, with stable widths and units.

/** Typographic minus, as wide as a digit in tabular figures. */
const MINUS = "\u2212";

/** Four significant digits; powers of ten outside 1e-3 … 1e5. */
export function number(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size < 1e-3 || size >= 1e5) return signed(x.toExponential(2));
  if (Number.isInteger(x)) return signed(String(x));
  return signed(x.toFixed(decimals(size, digits)));
}

/** Vectors share their decimals, given by the largest entry, so that small noise does not draw the eye. */
export function vector(values: ArrayLike<number>, digits = 4): string[] {
  const entries = Array.from(values);
  const size = Math.max(...entries.map(Math.abs));
  if (!Number.isFinite(size)) return entries.map((x) => number(x, digits));
  if (size === 0) return entries.map(() => "0");
  if (size < 1e-3 || size >= 1e5) return entries.map((x) => (x === 0 ? "0" : signed(x.toExponential(1))));
  return entries.map((x) => fixed(x, decimals(size, digits)));
}

/** With a given number of decimals, never "-0.00". */
export function fixed(x: number, count: number): string {
  const text = x.toFixed(count);
  return signed(Number(text) === 0 ? text.replace("-", "") : text);
}

export function withUnit(x: number, unit: string): string {
  return unit ? `${number(x)} ${unit}` : number(x);
}

export function degrees(radians: number): string {
  return `${fixed((radians * 180) / Math.PI, 1)}°`;
}

/** Decimals that show a time to one time step, s. */
export function timeDecimals(dt: number): number {
  return dt > 0 ? Math.max(2, Math.min(6, Math.ceil(-Math.log10(dt) - 1e-9))) : 3;
}

/** Decimals that give `size` so many digits; at most 5, for the width. */
function decimals(size: number, digits: number): number {
  return Math.max(0, Math.min(5, digits - 1 - Math.floor(Math.log10(size))));
}

function signed(text: string): string {
  return text.replace("e+", "e").replaceAll("-", MINUS);
}

/** How a solve ended, by the frame's `status`. */
const STATUS = ["converged", "iteration limit", "stalled", "numerical failure", "interrupted", "ray termination", "blocked"];

export function statusText(status: number): string {
  return status === -1 ? "no step yet" : (STATUS[status] ?? `status ${status}`);
}

/** Anything but "converged", "blocked" and "no step yet". A NaN fails too. */
export function solveFailed(status: number): boolean {
  return !(status === 0 || status === 6 || status === -1);
}

/** What became of the step, by the frame's `outcome`. */
export function outcomeText(outcome: number): string {
  if (outcome === 0) return "applied";
  return outcome === 1 ? "held" : `in ${outcome} substeps`;
}

/** The name of a scene, or of a file with its folder. */
export function shortTitle(title: string): string {
  return title.split(/[/\\]/).slice(-2).join("/");
}
