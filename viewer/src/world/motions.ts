// What each coordinate of a joint moves, as docs/guide/joints.md lists them.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { ChainLink, Joint } from "../types";

type Direction = "x" | "y" | "z";

/** A coordinate's motion in the frame that the coordinates before it lead to. */
export interface Motion {
  turns: boolean;
  /** The frame whose z axis it moves along or about; angles count from its x axis. */
  frame: Matrix4;
  /** The motion by a value (m, rad). */
  by(value: number): Matrix4;
}

const move = (along: Direction): Motion => ({
  turns: false,
  frame: turnTo(along),
  by: (value) => new Matrix4().makeTranslation(along === "x" ? value : 0, along === "y" ? value : 0, along === "z" ? value : 0),
});

const turn = (along: Direction): Motion => ({
  turns: true,
  frame: turnTo(along),
  by: (value) => {
    const matrix = new Matrix4();
    if (along === "x") return matrix.makeRotationX(value);
    return along === "y" ? matrix.makeRotationY(value) : matrix.makeRotationZ(value);
  },
});

/** A component of a rotation vector: does not carry the next one along. */
const component = (along: Direction): Motion => ({ ...turn(along), by: () => new Matrix4() });

const [x, y, z] = [move("x"), move("y"), move("z")];
const vector = [component("x"), component("y"), component("z")];

/** Every joint type whose motions do not depend on its parameters; `chain` depends on its links. */
const TABLE: Record<string, Motion[]> = {
  fixed: [],
  revolute: [turn("z")],
  prismatic: [z],
  screw: [turn("z")],
  cylindrical: [z, turn("z")],
  universal: [turn("x"), turn("y")],
  spherical: vector,
  gimbal: [turn("x"), turn("y"), turn("z")],
  planar: [x, y, turn("z")],
  cartesian: [x, y, z],
  point_on_line: [z],
  point_on_plane: [x, y],
  distance: [],
  free: [x, y, z, ...vector],
};

/** Motions of a joint's coordinates, in their order. */
export function motions(kind: Joint["kind"]): Motion[] {
  return kind.links?.map(link) ?? TABLE[kind.type] ?? [];
}

/** A hinge or slide of a chain. Its coordinate is `offset` at home. */
function link({ slide, axis, anchor, offset }: ChainLink): Motion {
  const along = new Vector3(...axis);
  const at = new Vector3(...anchor);
  const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along);
  const frame = new Matrix4().makeRotationFromQuaternion(rotation).setPosition(at);
  // Where the coordinate is 0.
  frame.multiply(slide ? new Matrix4().makeTranslation(0, 0, -offset) : new Matrix4().makeRotationZ(-offset));
  const by = (value: number): Matrix4 => {
    const moved = value - offset;
    if (slide) return new Matrix4().setPosition(along.clone().multiplyScalar(moved));
    const turned = new Matrix4().makeRotationAxis(along, moved);
    return turned.setPosition(at.clone().sub(at.clone().applyMatrix4(turned)));
  };
  return { turns: !slide, frame, by };
}

/** Turns the z axis to a direction, and the x axis to the one angles about it count from. */
function turnTo(along: Direction): Matrix4 {
  const matrix = new Matrix4();
  if (along === "x") return matrix.set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  if (along === "y") return matrix.set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1);
  return matrix;
}
