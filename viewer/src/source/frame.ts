// Decoding of binary frames; the layout is in docs/protocol.md.

import type { Frame, Hello } from "../types";

const MAGIC = 0x3146574c;
const HEADER_BYTES = 32;
const PAUSED = 1;
const JUMPED = 2;
const CORDS = 4;
const SIGNALS = 8;
const PAST = 16;
const PULL = 32;

/** The numbers in each frame's header that the model fixes. */
interface Counts {
  bodies: number;
  coordinates: number;
  joints: number;
  scalars: number;
  signals: number;
}

/** A message that is not a frame of this model. */
export class FrameError extends Error {}

export function countsOf(hello: Hello): Counts {
  return {
    bodies: hello.model.bodies.length,
    coordinates: hello.coordinates.length,
    joints: hello.model.joints.length,
    scalars: hello.scalars.length,
    signals: hello.signals.length,
  };
}

/** Bytes of the frame whose header is at `offset`, after checking that it is one of this model. */
export function frameBytes(buffer: ArrayBuffer, offset: number, expected: Counts): number {
  if (buffer.byteLength - offset < HEADER_BYTES) {
    throw new FrameError(`a frame of ${buffer.byteLength - offset} bytes is shorter than its header`);
  }
  const header = new DataView(buffer, offset, HEADER_BYTES);
  const word = (i: number) => header.getUint32(4 * i, true);
  if (word(0) !== MAGIC) {
    throw new FrameError(`not a frame: it starts with 0x${word(0).toString(16)}`);
  }
  const [bodies, coordinates, joints, contacts, scalars] = [word(1), word(2), word(3), word(4), word(5)];
  check("bodies", bodies, expected.bodies);
  check("coordinates", coordinates, expected.coordinates);
  check("joints", joints, expected.joints);
  check("scalars", scalars, expected.scalars);
  const doubles = scalars + 9 * coordinates;
  const singles = 8 * joints + 19 * bodies + 12 * contacts;
  const bytes = HEADER_BYTES + 8 * doubles + 4 * singles + 8 * contacts;
  const there = (bytes: number) => {
    if (buffer.byteLength - offset < bytes) {
      throw new FrameError(`a frame is cut off: ${buffer.byteLength - offset} of ${bytes} bytes`);
    }
    return bytes;
  };
  const count = (at: number) => new DataView(buffer, offset + there(at + 4) - 4, 4).getUint32(0, true);
  let end = bytes;
  if ((word(7) & CORDS) !== 0) end += 4 + 24 * count(end);
  if ((word(7) & SIGNALS) !== 0) {
    const signals = count(end);
    check("signals", signals, expected.signals);
    end += 4 + 8 * signals;
  }
  if ((word(7) & PULL) !== 0) end += 12;
  return there(end);
}

function check(what: string, found: number, expected: number): void {
  if (found !== expected) {
    throw new FrameError(`a frame has ${found} ${what}, the model ${expected}`);
  }
}

/** The frame at `offset` of `buffer`; throws a FrameError if there is none. */
export function decodeFrame(buffer: ArrayBuffer, offset: number, expected: Counts): Frame {
  const bytes = frameBytes(buffer, offset, expected);
  if (offset % 8 !== 0) {
    // Float64Array views need this alignment; frames are only multiples of 4 bytes long.
    return decodeFrame(buffer.slice(offset, offset + bytes), 0, expected);
  }
  const [, bodies, coordinates, joints, contacts, scalars, index, flags] = new Uint32Array(buffer, offset, 8);
  let at = offset + HEADER_BYTES;
  const doubles = (n: number) => {
    const view = new Float64Array(buffer, at, n);
    at += 8 * n;
    return view;
  };
  const singles = (n: number) => {
    const view = new Float32Array(buffer, at, n);
    at += 4 * n;
    return view;
  };
  const values = doubles(scalars);
  const frame = {
    index,
    paused: (flags & PAUSED) !== 0,
    jumped: (flags & JUMPED) !== 0,
    past: (flags & PAST) !== 0,
    time: values[0] ?? 0,
    scalars: values,
    coordinates: doubles(coordinates),
    rates: doubles(coordinates),
    targets: doubles(coordinates),
    efforts: doubles(6 * coordinates),
    joints: singles(8 * joints),
    poses: singles(7 * bodies),
    twists: singles(6 * bodies),
    net: singles(6 * bodies),
    contacts: singles(12 * contacts),
    contactShapes: new Uint32Array(buffer, at, 2 * contacts),
  };
  // Behind the contacts: segments of tendons and signals, each with its number first, and the pull.
  at += 8 * contacts;
  const count = () => {
    const [n] = new Uint32Array(buffer, at, 1);
    at += 4;
    return n;
  };
  const cords = flags & CORDS ? singles(6 * count()) : new Float32Array();
  let signals = new Float64Array();
  if (flags & SIGNALS) {
    const bytes = 8 * count();
    // Not aligned for a view.
    signals = new Float64Array(buffer.slice(at, at + bytes));
    at += bytes;
  }
  return { ...frame, cords, signals, pull: flags & PULL ? singles(3) : null };
}
