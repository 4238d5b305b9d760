// A simulation that runs behind the server; what was seen is kept.

import type { Frame, Hello } from "../types";
import type { Connection } from "./connection";
import { Curves } from "./curves";
import { countsOf, decodeFrame } from "./frame";
import { History } from "./history";
import type { Control, Curve, Source, SourceEvents } from "./source";

export class LiveSource implements Source {
  version = 0;
  readonly exactTimes = true;
  private readonly history = new History();
  private readonly curves: Curves;

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
    const frame = decodeFrame(data, 0, countsOf(this.hello));
    const newest = this.history.get(this.history.last);
    if (newest && frame.time < newest.time) {
      // After a reset time starts again; times must ascend for scrubbing and plots.
      this.history.clear();
      this.curves.clear();
    }
    if (newest && frame.time === newest.time && !frame.jumped) this.history.replaceLast(frame);
    else this.history.push(frame);
    this.version++;
  }
}
