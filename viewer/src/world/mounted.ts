// Cameras of the model: where they are, and what they see.
import { Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { Model, ModelCamera } from "../types";
import type { Eye } from "./camera";
import { poseMatrix, type Poses } from "./poses";

/** Nearest a camera sees, relative to the size of the scene. */
const NEAR = 0.002;
const UP = new Vector3(0, 0, 1);

export class MountedCamera {
  readonly eye: Eye;
  private readonly local: Matrix4;
  /** For one that does not turn with its body: the direction that it keeps. */
  private readonly kept = new Quaternion();
  private readonly offset = new Vector3();

  constructor(
    model: Model,
    private readonly camera: ModelCamera,
  ) {
    const { frame, lens } = camera;
    this.eye = lens.type === "perspective" ? new PerspectiveCamera((lens.field_of_view * 180) / Math.PI) : new OrthographicCamera();
    this.local = poseMatrix(frame.local);
    const home = frame.body === null ? new Matrix4() : poseMatrix(model.bodies[frame.body].pose);
    const turn = new Quaternion().setFromRotationMatrix(home);
    this.kept.copy(turn).multiply(new Quaternion(...frame.local.rotation));
    this.offset.set(...frame.local.position).applyQuaternion(turn);
  }

  /** Go where the bodies are now; `size` is that of the scene, m. */
  place(poses: Poses, aspect: number, size: number): void {
    const { eye } = this;
    const { frame, lens, aim = { type: "fixed" } } = this.camera;
    if (aim.type === "follow" && frame.body !== null) {
      poses.centre(frame.body, eye.position).add(this.offset);
      eye.quaternion.copy(this.kept);
    } else {
      const at = poses.of(frame.body).clone().multiply(this.local);
      eye.position.setFromMatrixPosition(at);
      if (aim.type === "look_at") at.lookAt(eye.position, poses.centre(aim.target), UP);
      eye.quaternion.setFromRotationMatrix(at);
    }
    if (eye instanceof PerspectiveCamera) {
      eye.aspect = aspect;
      eye.near = NEAR * size;
    } else {
      const half = lens.type === "orthographic" ? lens.height / 2 : 1;
      [eye.top, eye.bottom, eye.right, eye.left] = [half, -half, half * aspect, -half * aspect];
      eye.near = -100 * size;
    }
    eye.far = 100 * size;
    eye.updateProjectionMatrix();
    eye.updateMatrixWorld();
  }

  /** A point that it looks at, as far as `point` is away. */
  target(point: Vector3): Vector3 {
    const along = new Vector3(0, 0, -1).applyQuaternion(this.eye.quaternion);
    return along.multiplyScalar(this.eye.position.distanceTo(point)).add(this.eye.position);
  }
}
