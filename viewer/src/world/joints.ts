// Joint glyphs, the marks where the world holds a joint, and rods of distance joints.
import { Color, CylinderGeometry, Group, Matrix4, MeshLambertMaterial, Vector3 } from "three";
import type { Joint, Model } from "../types";
import { Batch } from "./batch";
import type { Sizes } from "./extent";
import { glyph, pedestal } from "./glyphs";
import { heatColour } from "./heat";
import type { Layer, Picture } from "./layer";
import { poseMatrix, type Poses } from "./poses";

/** Size of a glyph relative to the scene and, at most, to the distance between neighbouring joints. */
const SIZE = 0.022;
const CROWDED = 0.3;

export class Joints implements Layer {
  readonly object = new Group();
  /** Size of the glyphs, m. */
  readonly size: number;
  private readonly glyphs = new Map<string, Batch>();
  private readonly pedestals: Batch;
  private readonly rods: Batch;
  private readonly frames: Matrix4[];

  constructor(private readonly model: Model, poses: Poses, sizes: Sizes) {
    this.frames = model.joints.map((joint) => poseMatrix(joint.frame_base));
    this.size = glyphSize(this.anchors(poses), sizes);
    for (const type of new Set(model.joints.map((joint) => joint.kind.type))) {
      const geometry = glyph(type);
      if (!geometry) continue;
      const batch = new Batch(geometry, new MeshLambertMaterial(), { ghost: 0.35 });
      this.glyphs.set(type, batch);
      this.object.add(batch.object);
    }
    this.pedestals = new Batch(pedestal(), new MeshLambertMaterial({ flatShading: true }), { castShadow: true });
    const tube = new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.rods = new Batch(tube, new MeshLambertMaterial());
    this.object.add(this.pedestals.object, this.rods.object);
  }

  draw({ frame, poses, display, palette }: Picture): void {
    const shown = display.joints || display.heat;
    const plain = new Color(palette.joint);
    const grey = new Color(palette.pedestal);
    const colour = new Color();
    const place = new Matrix4();
    const zoom = new Matrix4().makeScale(this.size, this.size, this.size);
    this.clear();
    this.model.joints.forEach((joint, j) => {
      place.multiplyMatrices(poses.of(joint.base), this.frames[j]);
      const hot = display.heat && frame;
      if (hot) heatColour(Math.max(frame.joints[8 * j + 6], frame.joints[8 * j + 7]), colour);
      if (shown) this.glyphs.get(joint.kind.type)?.add(place.clone().multiply(zoom), hot ? colour : plain);
      if (joint.base === null && joint.kind.type !== "free") this.addPedestal(place, grey);
      if (joint.kind.type === "distance") this.addRod(joint, place, poses, hot ? colour : grey);
    });
    this.commit();
  }

  dispose(): void {
    for (const batch of this.batches()) batch.dispose();
  }

  private addPedestal(place: Matrix4, colour: Color): void {
    const at = new Vector3().setFromMatrixPosition(place);
    this.pedestals.addAlong(at, new Vector3(0, 0, 1), 1.5 * this.size, 1.5 * this.size, colour);
  }

  private addRod(joint: Joint, place: Matrix4, poses: Poses, colour: Color): void {
    const from = new Vector3().setFromMatrixPosition(place);
    const to = new Vector3(...joint.frame_follower.position).applyMatrix4(poses.of(joint.follower));
    const length = from.distanceTo(to);
    if (length > 0) this.rods.addAlong(from, to.sub(from).divideScalar(length), 0.25 * this.size, length, colour);
  }

  private anchors(poses: Poses): Vector3[] {
    return this.model.joints.map((joint) => new Vector3(...joint.frame_base.position).applyMatrix4(poses.of(joint.base)));
  }

  private batches(): Batch[] {
    return [...this.glyphs.values(), this.pedestals, this.rods];
  }

  private clear(): void {
    for (const batch of this.batches()) batch.clear();
  }

  private commit(): void {
    for (const batch of this.batches()) batch.commit();
  }
}

/** Small beside the scene, and smaller where joints are close to each other. */
function glyphSize(anchors: Vector3[], sizes: Sizes): number {
  const nearest = anchors
    .map((a) => Math.min(...anchors.map((b) => a.distanceTo(b)).filter((d) => d > 1e-3 * sizes.scene)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const spacing = nearest[nearest.length >> 1] ?? Infinity;
  return Math.min(SIZE * sizes.scene, CROWDED * spacing);
}
