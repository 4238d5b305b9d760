// Axes of the bodies at their centres of mass: x red, y green, z blue.
import { Color, CylinderGeometry, Float32BufferAttribute, Matrix4, MeshBasicMaterial, type BufferGeometry, type Object3D } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { Batch } from "./batch";
import type { Layer, Picture } from "./layer";

/** CSS colours of the axes x, y, z. */
export const AXIS_COLOURS = ["#e5484d", "#3fae5a", "#4a8cf0"];
/** Length relative to the scene and (at most) to a body. */
const LENGTH = { scene: 0.08, body: 0.7 };
const WHITE = new Color("white");

export class BodyAxes implements Layer {
  readonly object: Object3D;
  private readonly batch = new Batch(axes(), new MeshBasicMaterial({ vertexColors: true }), { ghost: 0.5 });

  constructor() {
    this.object = this.batch.object;
  }

  draw({ poses, display, sizes }: Picture): void {
    this.batch.clear();
    const length = Math.min(LENGTH.scene * sizes.scene, LENGTH.body * sizes.body);
    const scale = new Matrix4().makeScale(length, length, length);
    if (display.frames) for (const pose of poses.bodies) this.batch.add(pose.clone().multiply(scale), WHITE);
    this.batch.commit();
  }

  dispose(): void {
    this.batch.dispose();
  }
}

/** Three thin bars of unit length from the origin. */
function axes(): BufferGeometry {
  const along = () => new CylinderGeometry(0.03, 0.03, 1, 6).translate(0, 0.5, 0);
  const bars = [along().rotateZ(-Math.PI / 2), along(), along().rotateX(Math.PI / 2)];
  bars.forEach((bar, i) => {
    const colour = new Color(AXIS_COLOURS[i]).toArray();
    const count = bar.getAttribute("position").count;
    bar.setAttribute("color", new Float32BufferAttribute(Array.from({ length: count }, () => colour).flat(), 3));
  });
  const merged = mergeGeometries(bars);
  for (const bar of bars) bar.dispose();
  return merged;
}
