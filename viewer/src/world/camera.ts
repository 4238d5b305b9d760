// The camera: orbits about a target, z up, and frames boxes.
import { Box3, MOUSE, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { View } from "../types";

/** From where each view looks, towards the origin. */
const DIRECTIONS: Record<View, Vector3> = {
  iso: new Vector3(0.55, -1, 0.5).normalize(),
  front: new Vector3(0, -1, 0),
  side: new Vector3(1, 0, 0),
  // Exactly above, left and right would be undefined.
  top: new Vector3(0, -1e-4, 1).normalize(),
};

/** Space left around a framed box. */
const MARGIN = 1.12;
/** Nearest and farthest the camera sees, relative to its distance from the target. */
const NEAR = 0.02;
const FAR = 12;

export class OrbitCamera {
  readonly camera = new PerspectiveCamera(35, 1, 0.1, 100);
  readonly controls: OrbitControls;
  /** The user has moved it since it was last told what to frame. */
  chosen = false;

  constructor(element: HTMLElement) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(DIRECTIONS.iso);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 1.4;
    this.controls.addEventListener("start", () => (this.chosen = true));
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
  }

  /** Distance from the target, m. */
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Limits of zooming, for a scene of `size` m. */
  setRange(size: number): void {
    this.controls.minDistance = 0.01 * size;
    this.controls.maxDistance = 60 * size;
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Frame a box, from the present direction or that of a view. */
  frame(box: Box3, view?: View): void {
    const { camera, controls } = this;
    const back = view ? DIRECTIONS[view].clone() : camera.position.clone().sub(controls.target).normalize();
    box.getCenter(controls.target);
    camera.position.copy(controls.target).add(back);
    camera.lookAt(controls.target);
    camera.updateMatrixWorld();
    const distance = MARGIN * this.distanceFor(box, back);
    this.chosen = false;
    camera.position.copy(controls.target).addScaledVector(back, distance);
    this.update();
  }

  /** Whether all of a box is within the picture. */
  sees(box: Box3): boolean {
    return corners(box).every((corner) => {
      const { x, y, z } = corner.project(this.camera);
      return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= 1;
    });
  }

  /** Move along with a point that is kept in the middle. */
  follow(point: Vector3): void {
    const by = point.clone().sub(this.controls.target);
    this.camera.position.add(by);
    this.controls.target.add(by);
  }

  /** Let the motion go on; whether anything changed. */
  update(): boolean {
    const changed = this.controls.update();
    const { camera, distance } = this;
    if (camera.near !== NEAR * distance) {
      camera.near = NEAR * distance;
      camera.far = FAR * distance;
      camera.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
    return changed;
  }

  /** How far from its centre, along `back`, a box is seen whole. */
  private distanceFor(box: Box3, back: Vector3): number {
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    const centre = box.getCenter(new Vector3());
    let distance = 0;
    for (const corner of corners(box)) {
      corner.sub(centre);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
      distance = Math.max(distance, across + corner.dot(back));
    }
    return distance;
  }
}

function corners({ min, max }: Box3): Vector3[] {
  const pick = (i: number) => new Vector3((i & 1 ? max : min).x, (i & 2 ? max : min).y, (i & 4 ? max : min).z);
  return Array.from({ length: 8 }, (_, i) => pick(i));
}
