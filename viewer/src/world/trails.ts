// Where centres of mass have been in the last frames.
import { Color, Vector3, type Mesh } from "three";
import type { Frame } from "../types";
import type { Layer, Picture } from "./layer";
import { bodyColour } from "./palette";
import type { Poses } from "./poses";
import { Strokes } from "./strokes";

/** Frames remembered. */
const LENGTH = 300;
/** With more bodies only the selected one leaves a trail. */
const FEW = 12;

export class Trails implements Layer {
  readonly object: Mesh;
  private readonly strokes: Strokes;
  /** 3 numbers per body and frame, in a ring. */
  private readonly history: Float32Array;
  private length = 0;
  private next = 0;
  private lastIndex = -1;

  constructor(private readonly bodies: number) {
    this.strokes = new Strokes(LENGTH * Math.min(bodies, FEW), 2);
    this.object = this.strokes.object;
    this.history = new Float32Array(3 * LENGTH * bodies);
  }

  /** Remember a frame; forget those before it if it does not follow from them. */
  record(frame: Frame, poses: Poses): void {
    if (frame.index === this.lastIndex && !frame.jumped) return;
    if (frame.jumped || frame.index < this.lastIndex) this.length = 0;
    this.lastIndex = frame.index;
    const at = new Vector3();
    for (let body = 0; body < this.bodies; body++) {
      poses.centre(body, at).toArray(this.history, 3 * (this.next * this.bodies + body));
    }
    this.next = (this.next + 1) % LENGTH;
    this.length = Math.min(LENGTH, this.length + 1);
  }

  draw({ display, palette, selected }: Picture): void {
    this.strokes.clear();
    if (display.trails) {
      for (let body = 0; body < this.bodies; body++) {
        if (this.bodies <= FEW || body === selected) this.trace(body, bodyColour(palette, body));
      }
    }
    this.strokes.commit();
  }

  dispose(): void {
    this.strokes.dispose();
  }

  private trace(body: number, colour: Color): void {
    const from = new Vector3();
    const to = new Vector3();
    for (let age = this.length - 1; age > 0; age--) {
      this.read(body, age, from);
      this.read(body, age - 1, to);
      this.strokes.add(from, to, colour, 1 - age / this.length, 1 - (age - 1) / this.length);
    }
  }

  private read(body: number, age: number, out: Vector3): void {
    const row = (this.next - 1 - age + 2 * LENGTH) % LENGTH;
    out.fromArray(this.history, 3 * (row * this.bodies + body));
  }
}
