// The right panel while a body is selected: its state, its joints and their reactions.

import type { Frame, Hello, Joint } from "../types";
import { h } from "./dom";
import { degrees, fixed, number } from "./format";
import { words } from "./kinematics";
import { Readout } from "./readout";
import { TouchList } from "./touches";

type Update = (frame: Frame) => void;

export class BodyPanel {
  readonly element = h("div");
  private readonly updates: Update[] = [];

  constructor(
    private readonly hello: Hello,
    private readonly body: number,
    onDeselect: () => void,
  ) {
    const { name, mass } = hello.model.bodies[body];
    const close = h("button", { type: "button", class: "link", title: "Deselect (Esc)", click: onDeselect }, "deselect");
    this.element.append(h("header", {}, h("h2", { title: name }, name), close));
    this.addState(mass);
    this.addContacts();
    for (const [j, joint] of hello.model.joints.entries()) {
      if (joint.base === body || joint.follower === body) this.addJoint(j, joint);
    }
  }

  update(frame: Frame): void {
    for (const update of this.updates) update(frame);
  }

  private addState(mass: number): void {
    const readout = new Readout();
    this.element.append(readout.element);
    readout.value("mass", "kg").set(mass);
    const position = readout.vector("position", "m", 3, "Centre of mass, world axes");
    const quaternion = readout.vector("rotation", "xyzw", 4, "Orientation as a quaternion x y z w");
    const angles = readout.vector("roll pitch yaw", "°", 3, "Rotations about the world's x, then y, then z axis");
    const velocity = readout.vector("velocity", "m/s", 3, "Of the centre of mass, world axes");
    const spin = readout.vector("ang. velocity", "rad/s", 3, "World axes");
    const force = readout.vector("net force", "N", 3, "World axes");
    const torque = readout.vector("net torque", "N m", 3, "About the centre of mass, world axes");
    const { body } = this;
    this.updates.push((frame) => {
      const pose = frame.poses.subarray(7 * body, 7 * body + 7);
      position.set(pose.subarray(0, 3));
      quaternion.texts(Array.from(pose.subarray(3), (x) => fixed(x, 4)));
      angles.texts(rollPitchYaw(pose.subarray(3)).map((x) => fixed((x * 180) / Math.PI, 2)));
      velocity.set(frame.twists.subarray(6 * body, 6 * body + 3));
      spin.set(frame.twists.subarray(6 * body + 3, 6 * body + 6));
      force.set(frame.net.subarray(6 * body, 6 * body + 3));
      torque.set(frame.net.subarray(6 * body + 3, 6 * body + 6));
    });
  }

  private addContacts(): void {
    const touches = new TouchList(this.hello, this.body);
    this.element.append(touches.element);
    this.updates.push((frame) => touches.update(frame));
  }

  private addJoint(j: number, joint: Joint): void {
    const { model, coordinates } = this.hello;
    const other = joint.follower === this.body ? joint.base : joint.follower;
    const otherName = other === null ? "world" : model.bodies[other].name;
    const readout = new Readout();
    const title = h("h3", {}, joint.name, h("span", { class: "muted" }, ` ${words(joint.kind.type)} to ${otherName}`));
    this.element.append(title, readout.element);

    joint.axes.forEach((_, k) => {
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
    });

    const force = readout.vector("force", "N", 3, "On the follower, world axes");
    const torque = readout.vector("torque", "N m", 3, "On the follower about its anchor, world axes");
    const open = readout.value("closure error", "m", "Distance by which the joint is open");
    const twisted = readout.value("angular", "rad", "Angle by which the joint is open");
    this.updates.push((frame) => {
      force.set(frame.joints.subarray(8 * j, 8 * j + 3));
      torque.set(frame.joints.subarray(8 * j + 3, 8 * j + 6));
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
