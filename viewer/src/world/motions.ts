// What each coordinate of a joint moves, as docs/guide/joints.md lists them.
import { Matrix4 } from "three";

type Direction = "x" | "y" | "z";

/** A coordinate's motion in the frame that the coordinates before it lead to. */
export interface Motion {
  along: Direction;
  turns: boolean;
  /** The motion by a value (m, rad). */
  by(value: number): Matrix4;
}

const move = (along: Direction): Motion => ({
  along,
  turns: false,
  by: (value) => new Matrix4().makeTranslation(along === "x" ? value : 0, along === "y" ? value : 0, along === "z" ? value : 0),
});

const turn = (along: Direction): Motion => ({
  along,
  turns: true,
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

const TABLE: Record<string, Motion[]> = {
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
  free: [x, y, z, ...vector],
};

/** Motions of a joint type's coordinates, in their order. */
export function motions(type: string): Motion[] {
  return TABLE[type] ?? [];
}

/** Turns the z axis to a direction, and the x axis to the one angles about it count from. */
export function turnTo(along: Direction): Matrix4 {
  const matrix = new Matrix4();
  if (along === "x") return matrix.set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  if (along === "y") return matrix.set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1);
  return matrix;
}
