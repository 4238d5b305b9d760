// A curve thinned out to the pixels it is drawn on: the extremes in each column.

import type { Curve } from "../source/source";

/** Extremes by column of pixels; NaN where a column has no point. */
export interface Columns {
  low: Float64Array;
  high: Float64Array;
  /** The last value in each column, from which the line goes on. */
  last: Float64Array;
  /** The first value in each column, to which the line comes. */
  first: Float64Array;
  /** 1 in columns at which the line is broken. */
  gap: Uint8Array;
  min: number;
  max: number;
  minPositive: number;
}

export function thin(curve: Curve, start: number, end: number, width: number): Columns {
  const make = () => new Float64Array(width).fill(NaN);
  const columns: Columns = {
    low: make(),
    high: make(),
    first: make(),
    last: make(),
    gap: new Uint8Array(width),
    min: Infinity,
    max: -Infinity,
    minPositive: Infinity,
  };
  const { low, high, first, last } = columns;
  const perSecond = (width - 1) / (end - start || 1);
  for (let i = 0; i < curve.t.length; i++) {
    const column = Math.round((curve.t[i] - start) * perSecond);
    const y = curve.y[i];
    if (column < 0 || column >= width) continue;
    if (!Number.isFinite(y)) {
      columns.gap[column] = 1;
      continue;
    }
    if (!(low[column] <= y)) low[column] = y;
    if (!(high[column] >= y)) high[column] = y;
    if (Number.isNaN(first[column])) first[column] = y;
    last[column] = y;
    if (y < columns.min) columns.min = y;
    if (y > columns.max) columns.max = y;
    if (y > 0 && y < columns.minPositive) columns.minPositive = y;
  }
  return columns;
}

/** Columns in which a curve has a point that `counts`. */
export function marked(curve: Curve, start: number, end: number, width: number, counts: (y: number) => boolean): Set<number> {
  const perSecond = (width - 1) / (end - start || 1);
  const columns = new Set<number>();
  for (let i = 0; i < curve.t.length; i++) {
    if (curve.t[i] < start || curve.t[i] > end || !Number.isFinite(curve.y[i])) continue;
    if (counts(curve.y[i])) columns.add(Math.round((curve.t[i] - start) * perSecond));
  }
  return columns;
}

/** The point of a curve nearest to a time; null if there is none. */
export function nearest(curve: Curve, time: number): { t: number; y: number } | null {
  let low = 0;
  let high = curve.t.length - 1;
  if (high < 0) return null;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (curve.t[middle] < time) low = middle + 1;
    else high = middle;
  }
  const i = low > 0 && time - curve.t[low - 1] < curve.t[low] - time ? low - 1 : low;
  return { t: curve.t[i], y: curve.y[i] };
}
