// Contacts: points, friction cones and forces, coloured by whether they stick or slip.
import { Color, ConeGeometry, DoubleSide, Group, MeshBasicMaterial, Vector3 } from "three";
import { SLIP, STICK } from "../types";
import { Arrows } from "./arrows";
import { Batch } from "./batch";
import { Dots } from "./dots";
import type { Sizes } from "./extent";
import type { Layer, Picture } from "./layer";
import type { Palette } from "./palette";

/** Radius of a point, and height of a cone, relative to the scene and (at most) to a body. */
const POINT = { scene: 0.007, body: 0.07 };
const CONE = { scene: 0.05, body: 0.45 };
/** Thickness of an arrow in radii of a point, and its greatest length relative to the scene. */
const ARROW = 0.5;
const LONGEST = 0.4;
/** Friction above this is drawn as this: wider cones would be discs. */
const MAX_FRICTION = 3;

export class Contacts implements Layer {
  readonly object = new Group();
  private readonly points = new Dots();
  private readonly cones: Batch;
  private readonly arrows = new Arrows();
  private readonly point = new Vector3();
  private readonly normal = new Vector3();
  private readonly force = new Vector3();

  constructor() {
    // Apex at the contact, opening along z.
    const cone = new ConeGeometry(1, 1, 10, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    const glass = new MeshBasicMaterial({ transparent: true, opacity: 0.3, side: DoubleSide, depthWrite: false });
    this.cones = new Batch(cone, glass);
    this.cones.mesh.renderOrder = 3;
    this.object.add(this.points.object, this.cones.object, this.arrows.object);
  }

  draw({ frame, display, palette, sizes, forceScale }: Picture): void {
    const colours = coloursOf(palette);
    const radius = sized(POINT, sizes);
    const height = sized(CONE, sizes);
    this.points.clear(radius);
    this.cones.clear();
    this.arrows.clear();
    const rows = frame?.contacts ?? new Float32Array();
    for (let i = 0; i + 11 < rows.length; i += 12) {
      const kind = rows[i + 11];
      const colour = colours[kind] ?? colours[0];
      this.point.fromArray(rows, i);
      this.normal.fromArray(rows, i + 3);
      if (display.contacts) this.points.add(this.point, colour);
      if (display.cones && kind !== 0) {
        const friction = Math.min(MAX_FRICTION, rows[i + 10]);
        this.cones.addAlong(this.point, this.normal, friction * height, height, colour);
      }
      if (display.forces) {
        this.force.fromArray(rows, i + 6).divideScalar(forceScale).clampLength(0, LONGEST * sizes.scene);
        this.arrows.add(this.point, this.force, ARROW * radius, colour);
      }
    }
    for (const part of [this.points, this.cones, this.arrows]) part.commit();
  }

  dispose(): void {
    this.points.dispose();
    this.cones.dispose();
    this.arrows.dispose();
  }
}

/** A length (m) that suits the scene and its bodies. */
function sized(relative: { scene: number; body: number }, sizes: Sizes): number {
  return Math.min(relative.scene * sizes.scene, relative.body * sizes.body);
}

/** By kind of contact. */
function coloursOf(palette: Palette): Color[] {
  const colours = [new Color(palette.open)];
  colours[STICK] = new Color(palette.stick);
  colours[SLIP] = new Color(palette.slip);
  return colours;
}
