// Where the mass is: boxes of the same mass and moments of inertia as the bodies, and their centres of mass.
import { BoxGeometry, Color, Matrix4, MeshStandardMaterial, Vector3, type Object3D } from "three";
import type { Body, Model } from "../types";
import { Batch } from "./batch";
import { Dots } from "./dots";
import type { Layer, Picture } from "./layer";

const BOX = new Color("#b68cf0");
const CENTRE = new Color("#f2c230");
/** Radius of a centre of mass, relative to the scene. */
const RADIUS = 0.008;
/** Sweeps of Jacobi's method: it has converged to the last digit after five. */
const SWEEPS = 8;

export class InertiaBoxes implements Layer {
  readonly object: Object3D;
  private readonly batch: Batch;
  /** From each body's centre of mass and axes to its box. */
  private readonly boxes: Matrix4[];

  constructor(model: Model) {
    const material = new MeshStandardMaterial({ transparent: true, opacity: 0.45, roughness: 0.7, depthWrite: false });
    this.batch = new Batch(new BoxGeometry(1, 1, 1), material, { ghost: 0.12 });
    this.object = this.batch.object;
    this.boxes = model.bodies.map(boxOf);
  }

  draw({ poses, display }: Picture): void {
    this.batch.clear();
    if (display.inertia) poses.bodies.forEach((pose, i) => this.batch.add(pose.clone().multiply(this.boxes[i]), BOX));
    this.batch.commit();
  }

  dispose(): void {
    this.batch.dispose();
  }
}

export class MassCentres implements Layer {
  readonly object: Object3D;
  private readonly dots = new Dots();
  private readonly at = new Vector3();

  constructor() {
    this.object = this.dots.object;
  }

  draw({ poses, display, sizes }: Picture): void {
    this.dots.clear(RADIUS * sizes.scene);
    if (display.centres) poses.bodies.forEach((_, i) => this.dots.add(poses.centre(i, this.at), CENTRE));
    this.dots.commit(true);
  }

  dispose(): void {
    this.dots.dispose();
  }
}

/** A unit cube made a box of the body's mass and inertia: its sides are l² = 6 (I₂ + I₃ − I₁)/m. */
function boxOf({ mass, inertia }: Body): Matrix4 {
  const { values, axes } = principal(inertia);
  const total = values[0] + values[1] + values[2];
  const sides = values.map((value) => Math.sqrt(Math.max(0, (6 * (total - 2 * value)) / mass)));
  // A box without thickness cannot be lit.
  const least = 1e-3 * Math.max(...sides);
  return axes.multiply(new Matrix4().makeScale(...(sides.map((side) => Math.max(side, least)) as [number, number, number])));
}

/** Principal moments and axes by Jacobi's rotations; the axes are the columns. */
export function principal([xx, yy, zz, xy, xz, yz]: number[]): { values: number[]; axes: Matrix4 } {
  const a = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (a[p][q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  const axes = new Matrix4().set(v[0][0], v[0][1], v[0][2], 0, v[1][0], v[1][1], v[1][2], 0, v[2][0], v[2][1], v[2][2], 0, 0, 0, 0, 1);
  return { values: [a[0][0], a[1][1], a[2][2]], axes };
}
