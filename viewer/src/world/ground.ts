// The ground: where grids lie, and the shadows on them. Grids and the level ground itself are the backdrop's to
// draw; tilted half-spaces are filled, and a scene without a level one gets a grid to show where down is.
import { Box3, Group, Matrix4, Mesh, PlaneGeometry, ShadowMaterial, Vector3 } from "three";
import type { Model } from "../types";
import { Disc } from "./disc";
import { facesUp, type Extent } from "./extent";
import { gridLines, type GridLine } from "./grid";
import type { Layer, Picture } from "./layer";
import { colourOf } from "./look";
import { poseMatrix, type Poses } from "./poses";
import type { Textures } from "./textures";

/** Opacity of a tilted half-space. */
const TILTED = 0.3;

interface Plane {
  /** The filling of a tilted one, or of one with a texture. */
  disc: Disc | null;
  /** Shows shadows, only where they can fall: looking them up is dear. */
  shadow: Mesh<PlaneGeometry, ShadowMaterial>;
  pose: Matrix4;
  inverse: Matrix4;
}

export class Ground implements Layer {
  readonly object = new Group();
  /** Of the level plane, m. */
  readonly height: number;
  private readonly planes: Plane[];
  private readonly square = new PlaneGeometry(1, 1);

  constructor(model: Model, extent: Extent, poses: Poses, textures: Textures) {
    const halfSpaces = model.shapes.filter((s) => s.body === null && s.geometry.type === "half_space");
    this.planes = halfSpaces.map((shape) => {
      const pose = poseMatrix(shape.local);
      const { texture } = shape;
      if (texture?.mapping.type === "plane") {
        const surface = { map: textures.get(texture.texture), repeat: texture.mapping.repeat, colour: colourOf(shape) };
        return this.plane(pose, new Disc(1, surface));
      }
      return this.plane(pose, facesUp(pose) ? null : new Disc(TILTED));
    });
    this.height = extent.groundHeight ?? gridHeight(extent, poses);
    if (extent.groundHeight === null) this.planes.push(this.plane(new Matrix4().setPosition(0, 0, this.height), null));
    for (const { disc, shadow } of this.planes) this.object.add(...(disc ? [disc.object] : []), shadow);
  }

  draw({ palette, quick, shadows }: Picture): void {
    for (const { disc, shadow } of this.planes) {
      disc?.draw(palette);
      shadow.visible = shadows && !quick;
      shadow.material.color.set(palette.shadow);
      shadow.material.opacity = palette.shadowStrength;
    }
  }

  /** Centre the fillings under what the camera looks at, from a distance (m). */
  centre(target: Vector3, distance: number): void {
    for (const { disc, pose, inverse } of this.planes) disc?.place(pose, target.clone().applyMatrix4(inverse), distance);
  }

  /** The grids under what the camera looks at, from a distance (m). */
  lines(target: Vector3, distance: number): GridLine[] {
    return this.planes.flatMap(({ pose, inverse }) => gridLines(pose, target.clone().applyMatrix4(inverse), distance));
  }

  /** Catch the shadows of a box (m) in light that comes from `sun` (unit). */
  catchShadows(box: Box3, sun: Vector3): void {
    for (const { shadow, pose, inverse } of this.planes) {
      const light = sun.clone().transformDirection(inverse);
      // No light falls on this side.
      shadow.visible &&= light.z > 0.05;
      const { min, max } = footprint(box, inverse, light);
      const place = new Matrix4().makeScale(max.x - min.x, max.y - min.y, 1);
      shadow.matrix.copy(pose).multiply(place.setPosition((min.x + max.x) / 2, (min.y + max.y) / 2, 0));
    }
  }

  dispose(): void {
    this.square.dispose();
    for (const { disc, shadow } of this.planes) {
      disc?.dispose();
      shadow.material.dispose();
    }
  }

  private plane(pose: Matrix4, disc: Disc | null): Plane {
    const shadow = new Mesh(this.square, new ShadowMaterial({ depthWrite: false }));
    shadow.matrixAutoUpdate = false;
    shadow.frustumCulled = false;
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    return { disc, shadow, pose, inverse: pose.clone().invert() };
  }
}

/** Height of a grid in a scene without ground: z = 0, unless that would cut through the mechanism. */
function gridHeight(extent: Extent, poses: Poses): number {
  const { min } = extent.bodies(poses);
  const low = min.z < -0.02 * extent.sizes.scene;
  return low ? min.z - 0.08 * extent.sizes.scene : 0;
}

/** Where a box' shadow falls on the plane z = 0 of the frame that `inverse` leads to. */
function footprint(box: Box3, inverse: Matrix4, light: Vector3): Box3 {
  const all = new Box3();
  for (let i = 0; i < 8; i++) {
    const corner = new Vector3((i & 1 ? box.max : box.min).x, (i & 2 ? box.max : box.min).y, (i & 4 ? box.max : box.min).z);
    corner.applyMatrix4(inverse);
    all.expandByPoint(corner.addScaledVector(light, -corner.z / Math.max(light.z, 0.05)));
  }
  return all;
}
