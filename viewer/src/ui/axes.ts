// The axes in which vectors are written: those of the world, of a body, or of a joint.

import type { Frame, Joint, Quat } from "../types";

export type Axes = "world" | "body" | "joint";

type Rotation = ArrayLike<number>;

/** A vector of the world in axes that are turned by a quaternion x y z w: R⁻¹ v. */
export function inAxes(v: ArrayLike<number>, [x, y, z, w]: [number, number, number, number]): [number, number, number] {
  // v + 2 u × (u × v − w v), with u the vector part: the rotation by the conjugate.
  const [a, b, c] = [y * v[2] - z * v[1] - w * v[0], z * v[0] - x * v[2] - w * v[1], x * v[1] - y * v[0] - w * v[2]];
  return [v[0] + 2 * (y * c - z * b), v[1] + 2 * (z * a - x * c), v[2] + 2 * (x * b - y * a)];
}

/** Rotation of a body in a frame. */
export function bodyRotation(frame: Frame, body: number): Quat {
  return Array.from(frame.poses.subarray(7 * body + 3, 7 * body + 7)) as Quat;
}

/** Rotation of a joint's frame on its follower. */
export function jointRotation(frame: Frame, joint: Joint): Quat {
  return product(bodyRotation(frame, joint.follower), joint.frame_follower.rotation);
}

function product(p: Rotation, q: Rotation): Quat {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}
