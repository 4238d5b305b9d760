// How large the scene is and where: what the camera frames and what glyphs are sized by.
import { Box3, Matrix4, Vector3 } from "three";
import type { Model, Shape } from "../types";
import { pieces } from "./forms";
import { poseMatrix, type Poses } from "./poses";

/** Typical lengths of a scene, m. */
export interface Sizes {
  /** Diagonal of all bodies at the start. */
  scene: number;
  /** Diagonal of the median body. */
  body: number;
}

/** A body further out than this multiple of the upper quartile has left the scene. */
const OUTLIER = 4;
/** World shapes count as far as they are within this multiple of the bodies' box. */
const WORLD_REACH = 1.1;
/** The ground counts if it is no further below the bodies than this multiple of their size. */
const GROUND_REACH = 8;

export class Extent {
  readonly sizes: Sizes;
  /** Height of the ground, m; null if no half-space faces up. */
  readonly groundHeight: number | null;
  /** Of each body, relative to its centre of mass. */
  private readonly local: Box3[];
  private readonly scenery: Box3;

  constructor(model: Model, poses: Poses) {
    this.local = model.bodies.map(() => new Box3().setFromPoints([new Vector3()]));
    this.scenery = new Box3();
    for (const shape of model.shapes) {
      (shape.body === null ? this.scenery : this.local[shape.body]).union(shapeBox(shape));
    }
    for (const joint of model.joints) {
      if (joint.base !== null) this.local[joint.base].expandByPoint(new Vector3(...joint.frame_base.position));
      this.local[joint.follower].expandByPoint(new Vector3(...joint.frame_follower.position));
    }
    this.groundHeight = heightOfGround(model);
    const sorted = this.local.map(diagonal).filter((d) => d > 0).sort((a, b) => a - b);
    const scene = diagonal(this.bodies(poses)) || diagonal(this.scenery) || 1;
    this.sizes = { scene, body: sorted[sorted.length >> 1] ?? 0.2 * scene };
  }

  /** The box about the bodies, without those that have flown off. */
  bodies(poses: Poses): Box3 {
    const boxes = this.local.map((box, i) => box.clone().applyMatrix4(poses.bodies[i]));
    const centres = boxes.map((box) => box.getCenter(new Vector3()));
    const middle = median(centres);
    const distances = centres.map((c) => c.distanceTo(middle));
    const quartile = [...distances].sort((a, b) => a - b)[Math.floor(0.75 * distances.length)] ?? 0;
    const reach = Math.max(OUTLIER * quartile, ...boxes.slice(0, 1).map(diagonal));
    const all = new Box3();
    // Few bodies have no outliers: each is part of the mechanism.
    boxes.forEach((box, i) => (boxes.length <= 8 || distances[i] <= reach) && all.union(box));
    return all;
  }

  /** What the camera should see: the bodies, the ground below them and nearby parts of the world. */
  framing(poses: Poses): Box3 {
    const box = this.bodies(poses);
    if (box.isEmpty()) box.copy(this.scenery);
    if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
    const size = diagonal(box) || 0.2 * this.sizes.scene;
    if (diagonal(box) === 0) box.expandByScalar(0.5 * size);
    const ground = this.groundHeight;
    if (ground !== null && box.min.z > ground && box.min.z - ground < GROUND_REACH * size) box.min.z = ground;
    const near = box.clone().expandByVector(box.getSize(new Vector3()).multiplyScalar(0.5 * (WORLD_REACH - 1)));
    if (this.scenery.intersectsBox(near)) box.union(this.scenery.clone().intersect(near));
    return box;
  }
}

/** Length of a box' diagonal, m; 0 if empty. */
export function diagonal(box: Box3): number {
  return box.isEmpty() ? 0 : box.min.distanceTo(box.max);
}

/** Box of a shape in its body's frame (or the world). */
export function shapeBox(shape: Shape): Box3 {
  const box = new Box3();
  const local = poseMatrix(shape.local);
  for (const piece of pieces(shape.geometry)) {
    box.union(piece.box.applyMatrix4(new Matrix4().multiplyMatrices(local, piece.local)));
  }
  return box;
}

/** Whether a half-space with this pose carries what falls along −z. */
export function facesUp(pose: Matrix4): boolean {
  return pose.elements[10] > 0.999;
}

function heightOfGround(model: Model): number | null {
  const heights = model.shapes
    .filter((s) => s.body === null && s.geometry.type === "half_space" && facesUp(poseMatrix(s.local)))
    .map((s) => s.local.position[2]);
  return heights.length > 0 ? Math.max(...heights) : null;
}

function median(points: Vector3[]): Vector3 {
  const of = (pick: (p: Vector3) => number) => points.map(pick).sort((a, b) => a - b)[points.length >> 1] ?? 0;
  return new Vector3(of((p) => p.x), of((p) => p.y), of((p) => p.z));
}
