// Limits of joint coordinates: an arc or a bar from min to max, with a needle at the present value.
import {
  BoxGeometry,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type BufferGeometry,
} from "three";
import type { Axis, Model } from "../types";
import type { Layer, Picture } from "./layer";
import { motions, type Motion } from "./motions";
import { poseMatrix } from "./poses";

/** Radii of an arc and half width of a bar, relative to a joint glyph. */
const INNER = 1.5;
const OUTER = 2.1;
const BAR = 0.2;
/** A side without a limit is drawn this far: rad, and lengths of a glyph. */
const OPEN_ANGLE = Math.PI / 2;
const OPEN_LENGTH = 6;

interface Gauge {
  joint: number;
  /** Number among the joint's coordinates. */
  axis: number;
  motion: Motion;
  range: Mesh;
  needle: Mesh;
}

export class LimitGauges implements Layer {
  readonly object = new Group();
  private readonly gauges: Gauge[] = [];
  private readonly bases: Matrix4[];
  private readonly rangeMaterial = new MeshBasicMaterial({
    side: DoubleSide, transparent: true, opacity: 0.5, depthTest: false, depthWrite: false,
  });
  private readonly needleMaterial = new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthTest: false });

  constructor(private readonly model: Model, private readonly size: number) {
    this.bases = model.joints.map((joint) => poseMatrix(joint.frame_base));
    model.joints.forEach((joint, j) => {
      motions(joint.kind).forEach((motion, axis) => {
        const limits = joint.axes[axis]?.limits;
        if (limits && (limits.min !== null || limits.max !== null)) this.add(j, axis, motion, limits);
      });
    });
  }

  draw({ frame, poses, display, palette }: Picture): void {
    this.object.visible = display.limits && frame !== null;
    if (!this.object.visible || !frame) return;
    this.rangeMaterial.color.set(palette.limit);
    this.needleMaterial.color.set(palette.needle);
    for (const { joint: j, axis, motion, range, needle } of this.gauges) {
      const joint = this.model.joints[j];
      const q = frame.coordinates.subarray(joint.first_coordinate);
      const place = new Matrix4().multiplyMatrices(poses.of(joint.base), this.bases[j]);
      // Coordinates count from where those before them have taken the joint.
      motions(joint.kind).slice(0, axis).forEach((before, i) => place.multiply(before.by(q[i])));
      place.multiply(motion.frame);
      range.matrix.copy(place);
      needle.matrix.copy(place).multiply(
        motion.turns ? new Matrix4().makeRotationZ(q[axis]) : new Matrix4().makeTranslation(0, 0, q[axis]),
      );
    }
  }

  dispose(): void {
    for (const { range, needle } of this.gauges) {
      range.geometry.dispose();
      needle.geometry.dispose();
    }
    this.rangeMaterial.dispose();
    this.needleMaterial.dispose();
  }

  private add(joint: number, axis: number, motion: Motion, limits: NonNullable<Axis["limits"]>): void {
    const open = motion.turns ? OPEN_ANGLE : OPEN_LENGTH * this.size;
    const min = limits.min ?? limits.max! - open;
    const max = limits.max ?? limits.min! + open;
    const range = new Mesh(motion.turns ? arc(min, max, this.size) : bar(min, max, this.size), this.rangeMaterial);
    const needle = new Mesh(motion.turns ? hand(this.size) : rider(this.size), this.needleMaterial);
    for (const mesh of [range, needle]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      // Gauges are instruments: nothing hides them.
      mesh.renderOrder = mesh === needle ? 7 : 6;
      this.object.add(mesh);
    }
    this.gauges.push({ joint, axis, motion, range, needle });
  }
}

function arc(min: number, max: number, size: number): BufferGeometry {
  const sweep = Math.min(2 * Math.PI, max - min);
  const segments = Math.max(6, Math.ceil(sweep / 0.1));
  return new RingGeometry(INNER * size, OUTER * size, segments, 1, min, sweep);
}

function hand(size: number): BufferGeometry {
  return new BoxGeometry(OUTER * 1.15 * size, 0.12 * size, 0.12 * size).translate(OUTER * 0.575 * size, 0, 0);
}

function bar(min: number, max: number, size: number): BufferGeometry {
  const length = Math.max(max - min, 1e-3 * size);
  return new BoxGeometry(2 * BAR * size, 2 * BAR * size, length).translate(0, 0, (min + max) / 2);
}

function rider(size: number): BufferGeometry {
  return new BoxGeometry(4.5 * BAR * size, 4.5 * BAR * size, 0.25 * size);
}
