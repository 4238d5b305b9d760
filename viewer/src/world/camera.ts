// The camera: orbits about a target, z up, and frames boxes.
//
// The controls always move a perspective camera. Without perspective the picture is taken by an orthographic camera in the same
// place that sees as much at the distance of the target, so that turning, shifting, zooming and framing are the same for both.
import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { View } from "../types";
import type { MountedCamera } from "./mounted";

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

/** What takes the picture. */
export type Eye = PerspectiveCamera | OrthographicCamera;

export class OrbitCamera {
  /** Take pictures without perspective. */
  orthographic = false;
  private readonly camera = new PerspectiveCamera(35, 1, 0.1, 100);
  private readonly flat = new OrthographicCamera();
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

  /** Take pictures from a camera of the model. */
  mounted: MountedCamera | null = null;

  /** What takes the picture. */
  get eye(): Eye {
    return this.mounted?.eye ?? (this.orthographic ? this.flat : this.camera);
  }

  /** Distance from the target, m. */
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  get aspect(): number {
    return this.camera.aspect;
  }

  /** Go where the model's camera is, and turn about `target` from now on. */
  dismount(target: Vector3): void {
    if (!this.mounted) return;
    this.camera.position.copy(this.mounted.eye.position);
    this.controls.target.copy(target);
    this.mounted = null;
    this.chosen = true;
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
      const { x, y, z } = corner.project(this.eye);
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
    if (this.orthographic) this.placeFlat();
    return changed;
  }

  /** Put the orthographic camera where the other is. */
  private placeFlat(): void {
    const { camera, flat, distance } = this;
    const half = distance * this.tall;
    flat.top = half;
    flat.bottom = -half;
    flat.right = half * camera.aspect;
    flat.left = -flat.right;
    // Nothing is too near: what lies behind the place of the camera is seen as well.
    flat.near = -FAR * distance;
    flat.far = FAR * distance;
    flat.position.copy(camera.position);
    flat.quaternion.copy(camera.quaternion);
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
  }

  /** Half the height of the picture at a distance of 1 m, m. */
  private get tall(): number {
    return Math.tan((this.camera.fov * Math.PI) / 360);
  }

  /** How far from its centre, along `back`, a box is seen whole. */
  private distanceFor(box: Box3, back: Vector3): number {
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const tall = this.tall;
    const wide = tall * this.camera.aspect;
    const centre = box.getCenter(new Vector3());
    let distance = 0;
    for (const corner of corners(box)) {
      corner.sub(centre);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
      // With perspective what is nearer is larger.
      distance = Math.max(distance, this.orthographic ? across : across + corner.dot(back));
    }
    return distance;
  }
}

function corners({ min, max }: Box3): Vector3[] {
  const pick = (i: number) => new Vector3((i & 1 ? max : min).x, (i & 2 ? max : min).y, (i & 4 ? max : min).z);
  return Array.from({ length: 8 }, (_, i) => pick(i));
}
