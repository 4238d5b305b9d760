// Axes: from values to fractions of the height, and round numbers to label.

import { number } from "../ui/format";

/** Maps values to 0 (bottom) … 1 (top). */
export interface Scale {
  at(value: number): number;
  ticks: { value: number; label: string }[];
}

/** Decades below the largest value beyond which a logarithmic axis shows no more. */
const MAX_DECADES = 18;

/** Round numbers from `min` to `max`, about `count` of them, and the step between them. */
export function niceTicks(min: number, max: number, count: number): { ticks: number[]; step: number } {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return { ticks: [], step: 1 };
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((m) => m * power >= raw) ?? 10);
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * span; k++) ticks.push(k * step);
  return { ticks, step };
}

/** Decimals that tell numbers apart that are `step` apart. */
export function decimals(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
}

export function linearScale(min: number, max: number, count: number): Scale {
  const flat = max - min <= 1e-12 * Math.max(Math.abs(min), Math.abs(max), 1e-300);
  const pad = flat ? Math.abs(max) * 0.1 || 1 : 0.06 * (max - min);
  const [low, high] = [min - pad, max + pad];
  const { ticks, step } = niceTicks(low, high, count);
  return {
    at: (value) => (value - low) / (high - low),
    ticks: ticks.map((value) => ({ value, label: tickLabel(value, step, ticks[0]) })),
  };
}

/** For values over decades; those at or below zero lie on the bottom. */
export function logScale(minPositive: number, max: number, count: number): Scale {
  const top = Math.ceil(Math.log10(max) + 0.05);
  const bottom = Math.max(top - MAX_DECADES, Math.min(top - 1, Math.floor(Math.log10(minPositive) - 0.05)));
  const every = Math.max(1, Math.ceil((top - bottom) / Math.max(1, count)));
  const ticks: Scale["ticks"] = [];
  for (let e = Math.ceil(bottom / every) * every; e <= top; e += every) ticks.push({ value: 10 ** e, label: `1e${e}` });
  return {
    at: (value) => (value > 0 ? Math.max(0, (Math.log10(value) - bottom) / (top - bottom)) : 0),
    ticks,
  };
}

/** As many decimals as tell one tick from the next; where that would be too many, how far it is above the first. */
function tickLabel(value: number, step: number, first: number): string {
  const size = Math.max(Math.abs(value), step);
  if (size / step > 1e5) return value === first ? number(value) : `+${short(value - first)}`;
  if (size >= 1e5 || step < 1e-4) return short(value);
  return minus(value.toFixed(decimals(step)));
}

/** 2.5e-6 */
function short(value: number): string {
  return value === 0 ? "0" : minus(Number(value.toPrecision(3)).toExponential().replace("e+", "e"));
}

function minus(text: string): string {
  return text.replace(/^-/, "\u2212");
}
