// The quantities one can plot, and how each is read from a frame: the same, by the same names, as in
// crates/linkwork-record/src/quantities.

import type { Frame, Hello, Joint } from "../types";

export type Group = "scalars" | "coordinates" | "efforts" | "reactions" | "contacts" | "bodies" | "signals";

export interface Quantity {
  /** As the server knows it: "energy", "A.angle", "A.force". */
  name: string;
  label: string;
  unit: string;
  group: Group;
  /** Spans decades: drawn on a logarithmic axis unless told otherwise. */
  log: boolean;
  read: (frame: Frame) => number;
}

/** A vector within a frame, or computed from it. */
type VectorOf = (frame: Frame) => ArrayLike<number>;

const RESIDUAL_LIKE = /^(residual|closure_(linear|angular)|limit_violation|penetration)/;

/** Forces along a coordinate, in the order of the frame: suffix of the name, and label. */
export const EFFORTS: [string, string][] = [
  ["effort", "drive effort"],
  ["limit_effort", "limit effort"],
  ["friction_effort", "friction effort"],
  ["passive_effort", "spring and damper effort"],
  ["coupling_effort", "coupling effort"],
  ["applied_effort", "applied effort (motors, scripts)"],
];

/** A joint of six coordinates locks nothing and has no reaction. */
export const hasReaction = (joint: Joint): boolean => joint.axes.length < 6;

/** Every quantity of a model, in the order of the menus. */
export function quantities(hello: Hello): Quantity[] {
  const scalars = hello.scalars.map((scalar, i): Quantity => ({
    ...quantity("scalars", scalar.name, scalar.label, scalar.unit, (frame) => frame.scalars[i]),
    log: RESIDUAL_LIKE.test(scalar.name),
  }));
  const signals = hello.signals.map(({ name, unit, kind }, i) =>
    quantity("signals", `${kind} ${name}`, `${kind} ${name}`, unit === "1" ? "" : unit, (frame) => frame.signals[i]),
  );
  const ofJoints = hello.model.joints.flatMap((joint, j) => [...alongCoordinates(hello, joint), ...reactions(joint, j)]);
  // If a joint and a body would have the same name, it is that of the joint.
  const taken = new Set([...scalars, ...ofJoints].map(({ name }) => name));
  const touching = new Set(hello.model.shapes.map((shape) => shape.body));
  const ofBodies = hello.model.bodies.flatMap((_, body) => [...motion(hello, body), ...(touching.has(body) ? contact(hello, body) : [])]);
  const named = ofBodies.map((q) => (taken.has(q.name) ? { ...q, name: `body ${q.name}` } : q));
  return [...scalars, ...signals, ...ofJoints, ...named];
}

function quantity(group: Group, name: string, label: string, unit: string, read: Quantity["read"]): Quantity {
  return { name, label, unit, group, log: false, read };
}

/** Coordinates of a joint, their rates, and the forces along them. */
function alongCoordinates(hello: Hello, joint: Joint): Quantity[] {
  return joint.axes.flatMap((_, k) => {
    const i = joint.first_coordinate + k;
    const info = hello.coordinates[i];
    if (!info) return [];
    const { name, unit } = info;
    const effort = unit === "rad" ? "N m" : "N";
    return [
      quantity("coordinates", name, name, unit, (frame) => frame.coordinates[i]),
      quantity("coordinates", `${name}.rate`, `rate of ${name}`, `${unit}/s`, (frame) => frame.rates[i]),
      ...EFFORTS.map(([ending, words], part) =>
        quantity("efforts", `${name}.${ending}`, `${words} along ${name}`, effort, (frame) => frame.efforts[EFFORTS.length * i + part]),
      ),
    ];
  });
}

function reactions(joint: Joint, j: number): Quantity[] {
  if (!hasReaction(joint)) return [];
  const at = (offset: number): VectorOf => (frame) => frame.joints.subarray(8 * j + offset, 8 * j + offset + 3);
  const { name } = joint;
  return [
    ...components("reactions", `${name}.force_`, `${name}.force`, `reaction force of ${name}`, "N", at(0)),
    ...components("reactions", `${name}.torque_`, `${name}.torque`, `reaction torque of ${name}`, "N m", at(3)),
  ];
}

/** Position, velocity and angular velocity of a body's centre of mass. */
function motion(hello: Hello, body: number): Quantity[] {
  const { name } = hello.model.bodies[body];
  const axes = (prefix: string, words: string, unit: string, at: VectorOf) =>
    [..."xyz"].map((axis, i) => quantity("bodies", `${name}.${prefix}${axis}`, `${words} ${axis} of ${name}`, unit, (frame) => at(frame)[i]));
  const velocity: VectorOf = (frame) => frame.twists.subarray(6 * body, 6 * body + 3);
  return [
    ...axes("", "position", "m", (frame) => frame.poses.subarray(7 * body, 7 * body + 3)),
    ...[..."wxyz"].map((part, i) => quantity("bodies", `${name}.q${part}`, `quaternion ${part} of ${name}`, "", (frame) => frame.poses[7 * body + 3 + ((i + 3) % 4)])),
    ...axes("v", "velocity", "m/s", velocity),
    ...axes("w", "angular velocity", "rad/s", (frame) => frame.twists.subarray(6 * body + 3, 6 * body + 6)),
    quantity("bodies", `${name}.speed`, `speed of ${name}`, "m/s", (frame) => norm(velocity(frame))),
  ];
}

/** What all contacts of a body exert on it. */
function contact(hello: Hello, body: number): Quantity[] {
  const { name } = hello.model.bodies[body];
  const mine = hello.model.shapes.map((shape) => shape.body === body);
  const sum: VectorOf = (frame) => {
    const total = [0, 0, 0];
    for (let i = 0; i < frame.contactShapes.length / 2; i++) {
      // The force of a frame acts on the second body.
      const sign = Number(mine[frame.contactShapes[2 * i + 1]]) - Number(mine[frame.contactShapes[2 * i]]);
      if (sign !== 0) for (let k = 0; k < 3; k++) total[k] += sign * frame.contacts[12 * i + 6 + k];
    }
    return total;
  };
  return components("contacts", `${name}.contact_`, `${name}.contact_force`, `contact force of ${name}`, "N", sum);
}

/** Components of a vector along the world's axes, and its norm. */
function components(group: Group, prefix: string, whole: string, words: string, unit: string, of: VectorOf): Quantity[] {
  return [
    quantity(group, whole, words, unit, (frame) => norm(of(frame))),
    ...[..."xyz"].map((axis, i) => quantity(group, prefix + axis, `${words}, ${axis}`, unit, (frame) => of(frame)[i])),
  ];
}

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}

/** A reader of one of the frame's scalars by name; NaN if the server does not send it. */
export function scalarReader(hello: Hello): (frame: Frame, name: string) => number {
  const index = new Map(hello.scalars.map((scalar, i) => [scalar.name, i]));
  return (frame, name) => frame.scalars[index.get(name) ?? -1] ?? NaN;
}
