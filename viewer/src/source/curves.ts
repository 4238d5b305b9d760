// Curves computed in the page from the frames of a live or embedded source.

import type { Frame, Hello } from "../types";
import { quantities, type Quantity } from "./quantities";
import type { Curve } from "./source";

interface Growing {
  read: Quantity["read"];
  t: number[];
  y: number[];
  /** The next frame to read. */
  next: number;
}

/** Extends each asked-for curve by the frames that came since it was asked for last. */
export class Curves {
  private readonly readers: Map<string, Quantity["read"]>;
  private readonly curves = new Map<string, Growing>();

  constructor(hello: Hello) {
    this.readers = new Map(quantities(hello).map((quantity) => [quantity.name, quantity.read]));
  }

  get(name: string, first: number, last: number, frame: (index: number) => Frame | null): Curve | null {
    const read = this.readers.get(name);
    if (!read) return null;
    let curve = this.curves.get(name);
    if (!curve) {
      curve = { read, t: [], y: [], next: first };
      this.curves.set(name, curve);
    }
    extend(curve, first, last, frame);
    return curve;
  }

  clear(): void {
    this.curves.clear();
  }
}

function extend(curve: Growing, first: number, last: number, frame: (index: number) => Frame | null): void {
  for (curve.next = Math.max(curve.next, first); curve.next <= last; curve.next++) {
    const next = frame(curve.next);
    if (!next) continue;
    if (next.jumped && curve.t.length > 0) {
      // No line across a jump of the state.
      curve.t.push(next.time);
      curve.y.push(NaN);
    }
    curve.t.push(next.time);
    curve.y.push(curve.read(next));
  }
  const kept = last - first + 1;
  // Forgotten frames leave in bulk: removing from the front of an array moves the rest.
  if (curve.t.length > 1.2 * kept + 1000) {
    const excess = curve.t.length - kept;
    curve.t.splice(0, excess);
    curve.y.splice(0, excess);
  }
}
