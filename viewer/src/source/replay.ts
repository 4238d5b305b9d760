// A recording behind the server: frames are fetched when they are needed and kept while there is room.

import type { Frame, Hello, Series } from "../types";
import type { Connection } from "./connection";
import { countsOf, decodeFrame } from "./frame";
import { lastNotAfter, type Curve, type Source, type SourceEvents } from "./source";

const MAX_OUTSTANDING = 8;
const MAX_BYTES = 200e6;
/** The server may drop requests; after this time one is taken as dropped. */
const ANSWER_MS = 1500;

export class ReplaySource implements Source {
  readonly first = 0;
  version = 0;
  /** Insertion order is order of use: the first key is the one to forget. */
  private readonly cache = new Map<number, Frame>();
  private bytes = 0;
  /** Requested frames and when. */
  private readonly outstanding = new Map<number, number>();
  private wanted: number[] = [];
  private readonly curves = new Map<string, Curve | null>();

  constructor(
    readonly hello: Hello,
    private readonly connection: Connection,
    readonly events: SourceEvents,
  ) {}

  get last(): number {
    return this.hello.records - 1;
  }

  get exactTimes(): boolean {
    return this.times()?.length === this.hello.records;
  }

  timeOf(index: number): number {
    const cached = this.cache.get(index);
    if (cached) return cached.time;
    const times = this.times();
    if (!times) return this.hello.start + (index / Math.max(1, this.last)) * (this.hello.end - this.hello.start);
    if (times.length === this.hello.records) return times[index] ?? this.hello.end;
    // Thinned out by the server, evenly over the records.
    const at = (index / Math.max(1, this.last)) * (times.length - 1);
    const low = Math.min(Math.floor(at), times.length - 2);
    return times[low] + (at - low) * (times[low + 1] - times[low]);
  }

  indexAt(time: number): number {
    return lastNotAfter((i) => this.timeOf(i), this.hello.records, time);
  }

  frame(index: number): Frame | null {
    const frame = this.cache.get(index);
    if (!frame) return null;
    this.cache.delete(index);
    this.cache.set(index, frame);
    return frame;
  }

  want(indexes: number[]): void {
    this.wanted = indexes;
    this.request();
  }

  series(name: string): Curve | null {
    const known = this.curves.get(name);
    if (known !== undefined) return known;
    if (this.connection.send({ type: "series", name })) this.curves.set(name, null);
    return null;
  }

  send(): void {
    this.events.onError("A recording cannot be changed.");
  }

  /** A binary message came; throws a FrameError if it is not a frame. */
  receive(data: ArrayBuffer): void {
    const frame = decodeFrame(data, 0, countsOf(this.hello));
    this.outstanding.delete(frame.index);
    this.bytes += data.byteLength - (this.cache.get(frame.index)?.scalars.buffer.byteLength ?? 0);
    this.cache.set(frame.index, frame);
    for (const [index, old] of this.cache) {
      if (this.bytes <= MAX_BYTES || index === frame.index) break;
      this.cache.delete(index);
      this.bytes -= old.scalars.buffer.byteLength;
    }
    this.request();
  }

  receiveSeries(series: Series): void {
    this.curves.set(series.name, { t: series.t, y: series.y.map((y) => y ?? NaN) });
    this.version++;
  }

  /** The connection is up again: what was asked before will not be answered. */
  reconnected(): void {
    this.outstanding.clear();
    for (const [name, curve] of this.curves) if (!curve) this.curves.delete(name);
    this.version++;
    this.request();
  }

  private request(): void {
    const now = performance.now();
    for (const [index, since] of this.outstanding) if (now - since > ANSWER_MS) this.outstanding.delete(index);
    for (const index of this.wanted) {
      if (this.outstanding.size >= MAX_OUTSTANDING) return;
      if (index < 0 || index > this.last || this.cache.has(index) || this.outstanding.has(index)) continue;
      if (!this.connection.send({ type: "frame", index })) return;
      this.outstanding.set(index, now);
    }
  }

  private times(): ArrayLike<number> | null {
    return this.hello.times ?? this.series("time")?.t ?? null;
  }
}
