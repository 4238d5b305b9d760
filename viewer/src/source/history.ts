// The frames of a live simulation that the page has seen, the oldest forgotten first.

import type { Frame } from "../types";
import { lastNotAfter } from "./source";

const MAX_FRAMES = 20_000;
const MAX_BYTES = 200e6;
/** Removing from the front of an array moves the rest, so room is made in bulk. */
const COMPACT_AT = 1000;

export class History {
  /** Number of the oldest frame that is kept. */
  first = 0;
  private frames: Frame[] = [];
  /** Forgotten frames still at the front of `frames`. */
  private gone = 0;
  private bytes = 0;

  get last(): number {
    return this.first + this.frames.length - this.gone - 1;
  }

  get(index: number): Frame | null {
    return index < this.first ? null : (this.frames[index - this.first + this.gone] ?? null);
  }

  push(frame: Frame): void {
    this.frames.push(frame);
    this.bytes += size(frame);
    while (this.last - this.first >= MAX_FRAMES || (this.bytes > MAX_BYTES && this.last > this.first)) {
      this.bytes -= size(this.frames[this.gone++]);
      this.first++;
    }
    if (this.gone >= COMPACT_AT) {
      this.frames.splice(0, this.gone);
      this.gone = 0;
    }
  }

  /** A newer picture of the same moment, e.g. with another drive target while paused. */
  replaceLast(frame: Frame): void {
    this.bytes += size(frame) - size(this.frames[this.frames.length - 1]);
    this.frames[this.frames.length - 1] = frame;
  }

  clear(): void {
    // Numbers go on, so that nobody mistakes a new frame for an old one.
    this.first = this.last + 1;
    this.frames = [];
    this.gone = 0;
    this.bytes = 0;
  }

  indexAt(time: number): number {
    const count = this.last - this.first + 1;
    return this.first + lastNotAfter((i) => this.frames[i + this.gone].time, count, time);
  }
}

function size(frame: Frame): number {
  return frame.scalars.buffer.byteLength;
}
