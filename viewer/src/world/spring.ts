// The spring by which the mouse pulls a body.
import { Color, IcosahedronGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import type { Vec3 } from "../types";
import type { Layer, Picture } from "./layer";
import { Strokes } from "./strokes";

export class Spring implements Layer {
  readonly object = new Group();
  private readonly line = new Strokes(1, 2.5, true);
  private readonly ends: Mesh[];
  private readonly material = new MeshBasicMaterial({ transparent: true, depthTest: false });
  private held: { body: number; local: Vector3; target: Vector3 } | null = null;

  constructor() {
    const ball = new IcosahedronGeometry(1, 2);
    this.ends = [new Mesh(ball, this.material), new Mesh(ball, this.material)];
    for (const end of this.ends) end.renderOrder = 6;
    this.object.add(this.line.object, ...this.ends);
  }

  /** Hold a body at a point (from its centre of mass, body axes). */
  hold(body: number, local: Vector3, target: Vector3): void {
    this.held = { body, local, target };
  }

  moveTo(target: Vector3): void {
    this.held?.target.copy(target);
  }

  release(): void {
    this.held = null;
  }

  /** What is held, and where it is pulled to (m, world). */
  get pulling(): { body: number; local: Vec3; target: Vec3 } | null {
    const held = this.held;
    return held && { body: held.body, local: held.local.toArray(), target: held.target.toArray() };
  }

  /** Where it pulls to, m, world; null if nothing is held. */
  get target(): Vector3 | null {
    return this.held?.target ?? null;
  }

  draw({ poses, palette, sizes }: Picture): void {
    this.object.visible = this.held !== null;
    if (!this.held) return;
    const { body, local, target } = this.held;
    const from = local.clone().applyMatrix4(poses.of(body));
    const colour = new Color(palette.spring);
    this.material.color.copy(colour);
    this.line.clear();
    this.line.add(from, target, colour);
    this.line.commit();
    [from, target].forEach((at, i) => {
      this.ends[i].position.copy(at);
      this.ends[i].scale.setScalar((i === 0 ? 0.006 : 0.009) * sizes.scene);
    });
  }

  dispose(): void {
    this.line.dispose();
    this.ends[0].geometry.dispose();
    this.material.dispose();
  }
}
