// How long a newton is. Forces of a scene change by orders of magnitude (impact, rest), so the scale follows
// them, slowly enough for arrows to be compared from frame to frame.
import type { Frame } from "../types";

/** Length of the arrow of a typical large force, relative to the scene. */
const LENGTH = 0.1;
/** Which force that is, as a fraction of all of them by size. */
const QUANTILE = 0.9;
/** How much of the way to the scale of a frame is gone with each frame. */
const FOLLOW = 0.04;

export class ForceScale {
  private value: number | null = null;

  /** For a scene of this size, m. */
  constructor(private readonly size: number) {}

  /** Newtons per metre of arrow. */
  get newtonsPerMetre(): number {
    return this.value ?? 1 / this.size;
  }

  /** Adapt to the forces of a frame: those of contacts and, where these are shown, joints. */
  follow(frame: Frame, joints: boolean): void {
    const forces = norms(frame.contacts, 12, 6).concat(joints ? norms(frame.joints, 8, 0) : []);
    const sorted = forces.filter((f) => f > 0 && f < Infinity).sort((a, b) => a - b);
    if (sorted.length === 0) return;
    const wanted = sorted[Math.floor(QUANTILE * (sorted.length - 1))] / (LENGTH * this.size);
    const from = this.value;
    this.value = from === null || frame.jumped ? wanted : from * (wanted / from) ** FOLLOW;
  }

  /** Forget, so that the next frame sets the scale. */
  reset(): void {
    this.value = null;
  }
}

/** Lengths of the vectors at `offset` in rows of `width` numbers. */
function norms(rows: Float32Array, width: number, offset: number): number[] {
  const out: number[] = [];
  for (let i = offset; i + 2 < rows.length; i += width) out.push(Math.hypot(rows[i], rows[i + 1], rows[i + 2]));
  return out;
}
