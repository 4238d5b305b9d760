// The right panel while a body is selected: its state, its joints and their reactions.

import type { Axis, Frame, Hello, Joint, Quat } from "../types";
import { EFFORTS, hasReaction } from "../source/quantities";
import { bodyRotation, inAxes, jointRotation, type Axes } from "./axes";
import { h } from "./dom";
import { degrees, fixed, number } from "./format";
import { words } from "./kinematics";
import { Readout } from "./readout";
import { TouchList } from "./touches";

type Update = (frame: Frame) => void;

const AXES: [Axes, string][] = [
  ["world", "world"],
  ["body", "body"],
  ["joint", "body; reactions: joint"],
];

/** Kept from one selected body to the next. */
let axes: Axes = "world";

export class BodyPanel {
  readonly element = h("div");
  private readonly updates: Update[] = [];
  private shown: Frame | null = null;

  constructor(
    private readonly hello: Hello,
    private readonly body: number,
    onDeselect: () => void,
  ) {
    const { name, mass } = hello.model.bodies[body];
    const close = h("button", { type: "button", class: "link", title: "Deselect (Esc)", click: onDeselect }, "deselect");
    this.element.append(h("header", {}, h("h2", { title: name }, name), close), this.axesSelect());
    this.addState(mass);
    this.addContacts();
    for (const [j, joint] of hello.model.joints.entries()) {
      if (joint.base === body || joint.follower === body) this.addJoint(j, joint);
    }
  }

  update(frame: Frame): void {
    this.shown = frame;
    for (const update of this.updates) update(frame);
  }

  /** In which axes vectors are written. */
  private axesSelect(): HTMLElement {
    const options = AXES.map(([value, words]) => h("option", { value, selected: value === axes }, words));
    const change = () => {
      axes = select.value as Axes;
      select.blur();
      if (this.shown) this.update(this.shown);
    };
    const select = h("select", { "aria-label": "Axes of vectors", change }, ...options);
    return h("label", { class: "axes" }, "axes of vectors", select);
  }

  /** A vector of the world in the chosen axes; `joint` returns those of a joint. */
  private turned(v: ArrayLike<number>, frame: Frame, joint: Joint | null = null): ArrayLike<number> {
    if (axes === "world") return v;
    const rotation: Quat = axes === "joint" && joint ? jointRotation(frame, joint) : bodyRotation(frame, this.body);
    return inAxes(v, rotation);
  }

  private addState(mass: number): void {
    const readout = new Readout();
    this.element.append(readout.element);
    readout.value("mass", "kg").set(mass);
    const position = readout.vector("position", "m", 3, "Centre of mass, world axes");
    const quaternion = readout.vector("rotation", "wxyz", 4, "Orientation as a quaternion w x y z");
    const angles = readout.vector("roll pitch yaw", "°", 3, "Rotations about the world's x, then y, then z axis");
    const velocity = readout.vector("velocity", "m/s", 3, "Of the centre of mass, in the chosen axes");
    const spin = readout.vector("ang. velocity", "rad/s", 3, "In the chosen axes");
    const force = readout.vector("net force", "N", 3, "Sum of all forces, in the chosen axes");
    const torque = readout.vector("net torque", "N m", 3, "About the centre of mass, in the chosen axes");
    const { body } = this;
    this.updates.push((frame) => {
      const pose = frame.poses.subarray(7 * body, 7 * body + 7);
      position.set(pose.subarray(0, 3));
      quaternion.texts([6, 3, 4, 5].map((i) => fixed(pose[i], 4)));
      angles.texts(rollPitchYaw(pose.subarray(3)).map((x) => fixed((x * 180) / Math.PI, 2)));
      velocity.set(this.turned(frame.twists.subarray(6 * body, 6 * body + 3), frame));
      spin.set(this.turned(frame.twists.subarray(6 * body + 3, 6 * body + 6), frame));
      force.set(this.turned(frame.net.subarray(6 * body, 6 * body + 3), frame));
      torque.set(this.turned(frame.net.subarray(6 * body + 3, 6 * body + 6), frame));
    });
  }

  private addContacts(): void {
    const touches = new TouchList(this.hello, this.body, (v, frame) => this.turned(v, frame));
    this.element.append(touches.element);
    this.updates.push((frame) => touches.update(frame));
  }

  /** Forces along coordinate `i`: drive and limit if it has them, the others if they are not zero. */
  private addEfforts(readout: Readout, i: number, axis: Axis, unit: string): void {
    const { spring, friction } = axis;
    const always = [axis.drive !== null, axis.limits !== null, friction > 0, spring.stiffness > 0 || spring.damping > 0, false, false];
    EFFORTS.forEach(([, words], part) => {
      const row = readout.optional(words.replace(" effort", "").replace(" and", ","), unit, `${words} along this coordinate`);
      this.updates.push((frame) => {
        const effort = frame.efforts[EFFORTS.length * i + part];
        row.show(always[part] || Math.abs(effort) > 0);
        row.set(effort);
      });
    });
  }

  private addJoint(j: number, joint: Joint): void {
    const { model, coordinates } = this.hello;
    const other = joint.follower === this.body ? joint.base : joint.follower;
    const otherName = other === null ? "world" : model.bodies[other].name;
    const readout = new Readout();
    const title = h("h3", {}, joint.name, h("span", { class: "muted" }, ` ${words(joint.kind.type)} to ${otherName}`));
    this.element.append(title, readout.element);

    joint.axes.forEach((axis, k) => {
      const i = joint.first_coordinate + k;
      const info = coordinates[i];
      if (!info) return;
      const value = readout.value(shortName(info.name, joint.name), info.unit);
      const rate = readout.value("rate", `${info.unit}/s`);
      this.updates.push((frame) => {
        const q = frame.coordinates[i];
        value.text(info.unit === "rad" ? `${degrees(q)}  ${number(q)}` : number(q));
        rate.set(frame.rates[i]);
      });
      this.addEfforts(readout, i, axis, info.unit === "rad" ? "N m" : "N");
    });

    if (!hasReaction(joint)) return;
    const force = readout.vector("reaction force", "N", 3, "On the follower, in the chosen axes");
    const torque = readout.vector("torque", "N m", 3, "On the follower about its anchor, in the chosen axes");
    const open = readout.value("closure error", "m", "Linear error of the joint");
    const twisted = readout.value("angular", "rad", "Angular error of the joint");
    this.updates.push((frame) => {
      force.set(this.turned(frame.joints.subarray(8 * j, 8 * j + 3), frame, joint));
      torque.set(this.turned(frame.joints.subarray(8 * j + 3, 8 * j + 6), frame, joint));
      open.set(frame.joints[8 * j + 6]);
      twisted.set(frame.joints[8 * j + 7]);
    });
  }
}

/** "angle" of "A.angle". */
function shortName(coordinate: string, joint: string): string {
  return coordinate.startsWith(`${joint}.`) ? coordinate.slice(joint.length + 1) : coordinate;
}

/** Angles (rad) of R = Rz(yaw) Ry(pitch) Rx(roll); pitch is clamped where rounding leaves its range. */
function rollPitchYaw([x, y, z, w]: ArrayLike<number> & Iterable<number>): [number, number, number] {
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const pitch = Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, pitch, yaw];
}
