// An exported page carries its frames in itself.

import type { Frame, Hello } from "../types";
import { Curves } from "./curves";
import { countsOf, decodeFrame, frameBytes } from "./frame";
import { lastNotAfter, type Curve, type Source, type SourceEvents } from "./source";

export class EmbeddedSource implements Source {
  readonly first = 0;
  readonly version = 1;
  readonly exactTimes = true;
  private readonly buffer: ArrayBuffer;
  private readonly offsets: number[] = [];
  private readonly times: number[] = [];
  private readonly curves: Curves;

  /** @param frames base64 of all frames one after the other */
  constructor(
    readonly hello: Hello,
    frames: string,
    readonly events: SourceEvents,
  ) {
    this.curves = new Curves(hello);
    this.buffer = fromBase64(frames);
    this.findFrames();
  }

  get last(): number {
    return this.offsets.length - 1;
  }

  timeOf(index: number): number {
    return this.times[index] ?? this.hello.start;
  }

  indexAt(time: number): number {
    return lastNotAfter((i) => this.times[i], this.times.length, time);
  }

  frame(index: number): Frame | null {
    const offset = this.offsets[index];
    return offset === undefined ? null : decodeFrame(this.buffer, offset, countsOf(this.hello));
  }

  want(): void {}

  series(name: string): Curve | null {
    return this.curves.get(name, 0, this.last, (i) => this.frame(i));
  }

  send(): void {
    this.events.onError("This page has no simulation behind it.");
  }

  /** Where each frame starts; those before a damaged one can still be shown. */
  private findFrames(): void {
    const counts = countsOf(this.hello);
    const view = new DataView(this.buffer);
    let offset = 0;
    try {
      while (offset < this.buffer.byteLength) {
        const bytes = frameBytes(this.buffer, offset, counts);
        this.offsets.push(offset);
        this.times.push(counts.scalars > 0 ? view.getFloat64(offset + 32, true) : 0);
        offset += bytes;
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.events.onError(`The data of this page is damaged after frame ${this.offsets.length}: ${reason}`);
    }
  }
}

/** Decoded in pieces, as the text may be hundreds of megabytes. */
function fromBase64(text: string): ArrayBuffer {
  const PIECE = 1 << 20;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) - padding);
  let at = 0;
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = atob(text.slice(start, start + PIECE));
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece.charCodeAt(i);
  }
  return bytes.buffer;
}
