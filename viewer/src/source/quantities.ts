// The quantities one can plot, and how each is read from a frame.

import type { Frame, Hello } from "../types";

export type Group = "scalars" | "coordinates" | "reactions" | "contacts" | "signals";

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

const RESIDUAL_LIKE = /^(residual|closure_(linear|angular)|limit_violation|penetration)/;

/** Every quantity of a model, in the order of the menus. */
export function quantities(hello: Hello): Quantity[] {
  const scalars = hello.scalars.map((scalar, i): Quantity => ({
    name: scalar.name,
    label: scalar.label,
    unit: scalar.unit,
    group: "scalars",
    log: RESIDUAL_LIKE.test(scalar.name),
    read: (frame) => frame.scalars[i],
  }));
  const coordinates = hello.coordinates.map((coordinate, i): Quantity => ({
    name: coordinate.name,
    label: coordinate.name,
    unit: coordinate.unit,
    group: "coordinates",
    log: false,
    read: (frame) => frame.coordinates[i],
  }));
  const reactions = hello.model.joints.flatMap((joint, j) => [
    reaction(`${joint.name}.force`, "N", 8 * j),
    reaction(`${joint.name}.torque`, "N m", 8 * j + 3),
  ]);
  const touching = new Set(hello.model.shapes.flatMap((shape) => (shape.body === null ? [] : [shape.body])));
  const contacts = [...touching].sort((a, b) => a - b).map((body) => contact(hello, body));
  const signals = hello.signals.map(({ name, unit, kind }, i): Quantity => ({
    name: `${kind} ${name}`,
    label: `${kind} ${name}`,
    unit: unit === "1" ? "" : unit,
    group: "signals",
    log: false,
    read: (frame) => frame.signals[i],
  }));
  return [...scalars.filter((s) => s.name !== "time"), ...signals, ...coordinates, ...contacts, ...reactions];
}

/** The norm of what all contacts of a body exert on it. */
function contact(hello: Hello, body: number): Quantity {
  const name = `${hello.model.bodies[body].name}.contact_force`;
  const mine = hello.model.shapes.map((shape) => shape.body === body);
  const read = (frame: Frame) => {
    const sum = [0, 0, 0];
    for (let i = 0; i < frame.contactShapes.length / 2; i++) {
      // The force of a frame acts on the second body.
      const sign = Number(mine[frame.contactShapes[2 * i + 1]]) - Number(mine[frame.contactShapes[2 * i]]);
      if (sign !== 0) for (let k = 0; k < 3; k++) sum[k] += sign * frame.contacts[12 * i + 6 + k];
    }
    return Math.hypot(...sum);
  };
  return { name, label: name, unit: "N", group: "contacts", log: false, read };
}

function reaction(name: string, unit: string, at: number): Quantity {
  const read = (frame: Frame) => Math.hypot(frame.joints[at], frame.joints[at + 1], frame.joints[at + 2]);
  return { name, label: name, unit, group: "reactions", log: false, read };
}

/** A reader of one of the frame's scalars by name; NaN if the server does not send it. */
export function scalarReader(hello: Hello): (frame: Frame, name: string) => number {
  const index = new Map(hello.scalars.map((scalar, i) => [scalar.name, i]));
  return (frame, name) => frame.scalars[index.get(name) ?? -1] ?? NaN;
}
