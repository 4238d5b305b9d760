// Limits of joint coordinates: an arc or a bar from min to max, with a needle at the present value. The limit of the whole angle of a ball
// is an arc about the axis it is turned about.
import {
  BoxGeometry,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  Vector3,
  type BufferGeometry,
} from "three";
import type { Axis, Joint, Model } from "../types";
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
  turns: boolean;
  /** Where it is, in the joint's frame on its base. */
  place: (q: Float64Array) => Matrix4;
  value: (q: Float64Array) => number;
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
        if (limits && (limits.min !== null || limits.max !== null)) this.add(j, alongMotion(joint.kind, axis, motion), limits);
      });
      const turn = joint.turn_limits;
      if (turn && turn.max !== null) this.add(j, wholeTurn(joint.kind.type), { ...turn, min: 0 });
    });
  }

  draw({ frame, poses, display, palette }: Picture): void {
    this.object.visible = display.limits && frame !== null;
    if (!this.object.visible || !frame) return;
    this.rangeMaterial.color.set(palette.limit);
    this.needleMaterial.color.set(palette.needle);
    for (const { joint: j, turns, place, value, range, needle } of this.gauges) {
      const joint = this.model.joints[j];
      const q = frame.coordinates.subarray(joint.first_coordinate);
      range.matrix.multiplyMatrices(poses.of(joint.base), this.bases[j]).multiply(place(q));
      needle.matrix.copy(range.matrix).multiply(
        turns ? new Matrix4().makeRotationZ(value(q)) : new Matrix4().makeTranslation(0, 0, value(q)),
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

  private add(joint: number, along: Along, limits: NonNullable<Axis["limits"]>): void {
    const { turns } = along;
    const open = turns ? OPEN_ANGLE : OPEN_LENGTH * this.size;
    const min = limits.min ?? limits.max! - open;
    const max = limits.max ?? limits.min! + open;
    const range = new Mesh(turns ? arc(min, max, this.size) : bar(min, max, this.size), this.rangeMaterial);
    const needle = new Mesh(turns ? hand(this.size) : rider(this.size), this.needleMaterial);
    for (const mesh of [range, needle]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      // Gauges are instruments: nothing hides them.
      mesh.renderOrder = mesh === needle ? 7 : 6;
      this.object.add(mesh);
    }
    this.gauges.push({ joint, ...along, range, needle });
  }
}

type Along = Pick<Gauge, "turns" | "place" | "value">;

/** A coordinate counts from where those before it have taken the joint. */
function alongMotion(kind: Joint["kind"], axis: number, motion: Motion): Along {
  const place = (q: Float64Array): Matrix4 => {
    const matrix = new Matrix4();
    motions(kind).slice(0, axis).forEach((before, i) => matrix.multiply(before.by(q[i])));
    return matrix.multiply(motion.frame);
  };
  return { turns: motion.turns, place, value: (q) => q[axis] };
}

/** The angle of a rotation vector, about its own axis. */
function wholeTurn(type: string): Along {
  const free = type === "free";
  const vector = (q: Float64Array): Vector3 => new Vector3().fromArray(q, free ? 3 : 0);
  const place = (q: Float64Array): Matrix4 => {
    const axis = vector(q);
    const along = axis.length() > 1e-9 ? axis.normalize() : new Vector3(0, 0, 1);
    const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along);
    const matrix = new Matrix4().makeRotationFromQuaternion(rotation);
    return free ? matrix.setPosition(q[0], q[1], q[2]) : matrix;
  };
  return { turns: true, place, value: (q) => vector(q).length() };
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
