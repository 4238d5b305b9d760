// Where the bodies are, as matrices.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Model, Pose } from "../types";

const ONE = new Vector3(1, 1, 1);
const position = new Vector3();
const rotation = new Quaternion();

/** The matrix of a pose. */
export function poseMatrix(pose: Pose): Matrix4 {
  return new Matrix4().compose(position.set(...pose.position), rotation.set(...pose.rotation), ONE);
}

/** Poses of all bodies' centres of mass. */
export class Poses {
  readonly bodies: Matrix4[];
  private readonly world = new Matrix4();

  constructor(model: Model) {
    this.bodies = model.bodies.map((body) => poseMatrix(body.pose));
  }

  /** 7 numbers per body: position, quaternion. A body whose numbers are not finite stays where it was last seen. */
  read(poses: Float32Array): void {
    this.bodies.forEach((matrix, i) => {
      const p = poses.subarray(7 * i, 7 * i + 7);
      if (p.length < 7 || !p.every(Number.isFinite)) return;
      matrix.compose(position.fromArray(p), rotation.fromArray(p, 3).normalize(), ONE);
    });
  }

  /** Pose of a body, or the identity for the world. */
  of(body: number | null): Matrix4 {
    return body === null ? this.world : this.bodies[body];
  }

  /** Centre of mass of a body, m. */
  centre(body: number, out = new Vector3()): Vector3 {
    return out.setFromMatrixPosition(this.bodies[body]);
  }
}
