// Where frames come from, as the rest of the page sees it: a live simulation, a recording behind a server, or
// data in the page itself.

import type { Frame, Hello, Status } from "../types";

/** A quantity over time; `y` is NaN where there is no value. */
export interface Curve {
  t: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** Events of a source for the page. */
export interface SourceEvents {
  /** Something the user should read. */
  onError: (message: string) => void;
  /** State of the simulation behind the server, live only. */
  onStatus: (status: Status) => void;
  /** A sentence while the connection is down; null when it is up. */
  onConnection: (message: string | null) => void;
}

/** Messages to a live simulation; see docs/protocol.md. */
export type Control =
  | { type: "pause"; value: boolean }
  | { type: "step"; count: number }
  | { type: "reset" }
  | { type: "speed"; value: number }
  | { type: "target"; coordinate: number; value: number }
  | { type: "control"; actuator: number; value: number }
  | { type: "keyframe"; index: number }
  | { type: "grab"; body: number; local: number[]; target: number[] }
  | { type: "release" }
  | { type: "solver"; name: string }
  | { type: "tolerance"; value: number };

/** Frames are numbered first..last; both grow in a live source that forgets its oldest. */
export interface Source {
  readonly hello: Hello;
  readonly events: SourceEvents;
  readonly first: number;
  /** One less than `first` if there is no frame yet. */
  readonly last: number;
  /** Whether `timeOf` knows; otherwise it estimates, as long as a recording's times have not arrived. */
  readonly exactTimes: boolean;
  /** Time of a frame, s. */
  timeOf(index: number): number;
  /** The last frame that is not later than `time` (s), within first..last. */
  indexAt(time: number): number;
  /** The frame, if it is here. */
  frame(index: number): Frame | null;
  /** Fetch these frames, most urgent first; earlier wishes are forgotten. */
  want(indexes: number[]): void;
  /** A quantity over time; null until it has arrived. */
  series(name: string): Curve | null;
  /** Grows whenever a curve or the range of frames has changed. */
  readonly version: number;
  send(message: Control): void;
}

/** The last of `count` ascending times that is not later than `time`; at least 0. */
export function lastNotAfter(timeAt: (i: number) => number, count: number, time: number): number {
  let low = 0;
  let high = count;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (timeAt(middle) <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** How each solve ended over time; null if unknown or not here yet. */
export function statusCurve(source: Source): Curve | null {
  return source.hello.scalars.some((scalar) => scalar.name === "status") ? source.series("status") : null;
}
