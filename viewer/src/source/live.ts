// A simulation that runs behind the server; what was seen is kept.

import type { Frame, Hello } from "../types";
import type { Connection } from "./connection";
import { Curves } from "./curves";
import { countsOf, decodeFrame, frameBytes } from "./frame";
import { History } from "./history";
import type { Control, Curve, Source, SourceEvents } from "./source";

export class LiveSource implements Source {
  version = 0;
  readonly exactTimes = true;
  private readonly history = new History();
  private readonly curves: Curves;
  /** Past frames received so far: they may come in several messages. */
  private readonly remembered: Frame[] = [];

  constructor(
    readonly hello: Hello,
    private readonly connection: Connection,
    readonly events: SourceEvents,
  ) {
    this.curves = new Curves(hello);
  }

  get first(): number {
    return this.history.first;
  }

  get last(): number {
    return this.history.last;
  }

  timeOf(index: number): number {
    return this.history.get(index)?.time ?? 0;
  }

  indexAt(time: number): number {
    return this.history.indexAt(time);
  }

  frame(index: number): Frame | null {
    return this.history.get(index);
  }

  want(): void {}

  series(name: string): Curve | null {
    return this.curves.get(name, this.first, this.last, (i) => this.history.get(i));
  }

  send(message: Control): void {
    if (!this.connection.send(message)) this.events.onError("The simulation is not connected.");
  }

  /** A binary message came; throws a FrameError if it is not a frame. */
  receive(data: ArrayBuffer): void {
    const counts = countsOf(this.hello);
    const frames: Frame[] = [];
    for (let at = 0, bytes = 0; at < data.byteLength; at += bytes) {
      bytes = frameBytes(data, at, counts);
      // A copy: the history counts the memory of each.
      frames.push(decodeFrame(data.slice(at, at + bytes), 0, counts));
    }
    if (frames[0]?.past) this.recall(frames);
    else frames.forEach((frame) => this.append(frame));
    this.version++;
  }

  /** Frames from before the page connected, which precede those it has seen. */
  private recall(past: Frame[]): void {
    const seen: Frame[] = [];
    for (let i = this.first; i <= this.last; i++) {
      const frame = this.history.get(i);
      if (frame && frame.time > past[past.length - 1].time) seen.push(frame);
    }
    this.history.clear();
    this.curves.clear();
    for (const frame of [...this.remembered, ...past, ...seen]) this.history.push(frame);
    this.remembered.push(...past);
  }

  private append(frame: Frame): void {
    const newest = this.history.get(this.history.last);
    if (newest && frame.time < newest.time) {
      // After a reset time starts again; times must ascend for scrubbing and plots.
      this.history.clear();
      this.curves.clear();
      this.remembered.length = 0;
    }
    if (newest && frame.time === newest.time && !frame.jumped) this.history.replaceLast(frame);
    else this.history.push(frame);
  }
}
