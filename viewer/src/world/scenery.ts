// Shapes of the world. What things stand on and what has a colour of its own is solid; what would hide them (walls, lids) is
// translucent, drawn by its far faces and edges.
import {
  BackSide,
  Color,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Vector3,
  type Box3,
  type BufferGeometry,
  type Material,
  type Object3D,
  type Texture,
} from "three";
import type { Model, Shape } from "../types";
import { shapeBox } from "./extent";
import { piecesOf } from "./forms";
import type { Layer, Picture } from "./layer";
import { colourOf, opaque, touches } from "./look";
import { poseMatrix, type Poses } from "./poses";
import type { Textures } from "./textures";

const EDGE_ANGLE = 30;
/** Opacity from which a shape with a colour of its own is drawn in it. */
const SOLID = 0.9;

export class Scenery implements Layer {
  readonly object = new Group();
  private readonly geometries: BufferGeometry[] = [];
  private readonly solid = new MeshLambertMaterial({ side: DoubleSide });
  private readonly clear = new MeshBasicMaterial({ side: BackSide, transparent: true, depthWrite: false });
  private readonly edge = new LineBasicMaterial({ transparent: true });
  private readonly coloured: MeshLambertMaterial[] = [];
  /** What is seen only with `display.collision`, and what only without. */
  private readonly felt = new Group();
  private readonly shown = new Group();

  constructor(model: Model, poses: Poses, private readonly textures: Textures) {
    this.object.add(this.felt, this.shown);
    const lowest = Math.min(...poses.bodies.map((_, i) => poses.centre(i).z));
    const own = model.shapes.filter((shape) => shape.body === null);
    const stand = own.filter((shape) => !touches(shape) && opaque(shape));
    const covers = stand.map((shape) => shapeBox(shape));
    for (const shape of own) {
      const colour = (shape.colour?.[3] ?? 0) >= SOLID ? colourOf(shape) : null;
      const map = shape.texture && shape.geometry.type !== "half_space" ? textures.get(shape.texture.texture) : null;
      const material = colour || map ? this.paint(colour, map) : carries(shape, lowest) ? this.solid : this.clear;
      // A shape that touches is not shown where another one, to be seen only, stands for it.
      const hidden = touches(shape) ? covers.some((cover) => isWithin(shapeBox(shape), cover)) : !opaque(shape);
      const group = !touches(shape) ? this.shown : hidden ? this.felt : this.object;
      if (touches(shape) || !hidden) this.add(shape, material, group);
    }
  }

  draw({ palette, display, quick }: Picture): void {
    // Large translucent faces, one behind the other, cost more than all else.
    this.clear.visible = !quick;
    this.solid.color.set(palette.terrain);
    this.clear.color.set(palette.scenery);
    this.clear.opacity = palette.sceneryOpacity;
    this.edge.color.set(palette.scenery);
    this.edge.opacity = 0.55;
    this.solid.wireframe = display.wireframe;
    for (const material of this.coloured) material.wireframe = display.wireframe;
    this.felt.visible = display.collision;
    this.shown.visible = !display.collision;
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry.dispose();
    for (const material of [this.solid, this.clear, this.edge, ...this.coloured]) material.dispose();
  }

  private paint(colour: Color | null, map: Texture | null): MeshLambertMaterial {
    const material = new MeshLambertMaterial({ side: DoubleSide, color: colour ?? new Color(1, 1, 1), map });
    this.coloured.push(material);
    return material;
  }

  private add(shape: Shape, material: Material, group: Group): void {
    const place = poseMatrix(shape.local);
    const solid = material !== this.clear;
    for (const piece of piecesOf(shape, this.textures)) {
      const geometry = piece.build("fine");
      const mesh = new Mesh(geometry, material);
      mesh.castShadow = mesh.receiveShadow = solid;
      mesh.renderOrder = solid ? 0 : 1;
      const objects: Object3D[] = [mesh];
      this.geometries.push(geometry);
      if (piece.edged) {
        const edges = new EdgesGeometry(geometry, EDGE_ANGLE);
        this.geometries.push(edges);
        objects.push(new LineSegments(edges, this.edge));
      }
      for (const object of objects) {
        object.matrixAutoUpdate = false;
        object.matrix.multiplyMatrices(place, piece.local);
        group.add(object);
      }
    }
  }
}

/** Whether bodies are above a shape rather than behind it; terrain always carries. */
function carries(shape: Shape, lowest: number): boolean {
  const terrain = shape.geometry.type === "height_field" || shape.geometry.type === "triangle_mesh";
  return terrain || shapeBox(shape).max.z <= lowest;
}

/** Whether a box is inside another one, but for a tenth of its size. */
function isWithin(inner: Box3, outer: Box3): boolean {
  const slack = outer.getSize(new Vector3()).multiplyScalar(0.1);
  return outer.clone().expandByVector(slack).containsBox(inner);
}
