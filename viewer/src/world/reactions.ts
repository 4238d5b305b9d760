// Forces that joints exert on their followers.
import { Color, Vector3, type Group } from "three";
import type { Model } from "../types";
import { Arrows } from "./arrows";
import type { Layer, Picture } from "./layer";

/** Thickness and greatest length relative to the scene. */
const THICKNESS = 0.004;
const LONGEST = 0.4;

export class Reactions implements Layer {
  readonly object: Group;
  private readonly arrows = new Arrows();
  private readonly anchors: Vector3[];

  constructor(private readonly model: Model) {
    this.object = this.arrows.object;
    this.anchors = model.joints.map((joint) => new Vector3(...joint.frame_follower.position));
  }

  draw({ frame, poses, display, palette, sizes, forceScale }: Picture): void {
    this.arrows.clear();
    if (frame && display.reactions) {
      const colour = new Color(palette.reaction);
      const force = new Vector3();
      const at = new Vector3();
      this.model.joints.forEach((joint, j) => {
        force.fromArray(frame.joints, 8 * j).divideScalar(forceScale).clampLength(0, LONGEST * sizes.scene);
        at.copy(this.anchors[j]).applyMatrix4(poses.of(joint.follower));
        this.arrows.add(at, force, THICKNESS * sizes.scene, colour);
      });
    }
    this.arrows.commit();
  }

  dispose(): void {
    this.arrows.dispose();
  }
}
