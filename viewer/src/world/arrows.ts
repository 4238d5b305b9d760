// Arrows in the world: shafts and heads, each in one draw call.
import { Color, ConeGeometry, CylinderGeometry, Group, MeshBasicMaterial, Vector3 } from "three";
import { Batch } from "./batch";

/** Of the head: length and radius in radii of the shaft. */
const HEAD_LENGTH = 5;
const HEAD_RADIUS = 2.4;

export class Arrows {
  readonly object = new Group();
  private readonly shafts: Batch;
  private readonly heads: Batch;
  private readonly direction = new Vector3();
  private readonly neck = new Vector3();

  constructor() {
    const shaft = new CylinderGeometry(1, 1, 1, 6, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new Batch(shaft, new MeshBasicMaterial(), { ghost: 0.45 });
    this.heads = new Batch(head, new MeshBasicMaterial(), { ghost: 0.45 });
    this.object.add(this.shafts.object, this.heads.object);
  }

  clear(): void {
    this.shafts.clear();
    this.heads.clear();
  }

  /** An arrow from `at` by `vector` (m), `radius` thick; short ones get a smaller head. */
  add(at: Vector3, vector: Vector3, radius: number, colour: Color): void {
    const length = vector.length();
    // Also refuses NaN.
    if (!(length > 0.2 * radius) || length === Infinity) return;
    this.direction.copy(vector).divideScalar(length);
    const head = Math.min(HEAD_LENGTH * radius, 0.6 * length);
    const width = (head / HEAD_LENGTH) * HEAD_RADIUS;
    this.shafts.addAlong(at, this.direction, Math.min(radius, width * 0.6), length - head, colour);
    this.neck.copy(at).addScaledVector(this.direction, length - head);
    this.heads.addAlong(this.neck, this.direction, width, head, colour);
  }

  commit(): void {
    this.shafts.commit();
    this.heads.commit();
  }

  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
  }
}
