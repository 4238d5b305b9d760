// Tendons that lead through space, as lines.
import { Color, Vector3 } from "three";
import type { Layer, Picture } from "./layer";
import { Strokes } from "./strokes";

/** Most segments that are drawn. */
const CAPACITY = 16384;
/** Width, CSS pixels. */
const WIDTH = 3;

export class Cords implements Layer {
  private readonly lines = new Strokes(CAPACITY, WIDTH);
  readonly object = this.lines.object;

  draw({ frame, palette }: Picture): void {
    const colour = new Color(palette.cord);
    const cords = frame?.cords ?? new Float32Array();
    this.lines.clear();
    for (let i = 0; i + 5 < cords.length; i += 6) {
      this.lines.add(new Vector3().fromArray(cords, i), new Vector3().fromArray(cords, i + 3), colour);
    }
    this.lines.commit();
  }

  dispose(): void {
    this.lines.dispose();
  }
}
