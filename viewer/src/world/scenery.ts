// Shapes of the world. What things stand on is solid; what would hide them (walls, lids) is translucent,
// drawn by its far faces and edges.
import {
  BackSide,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type BufferGeometry,
  type Object3D,
} from "three";
import type { Model, Shape } from "../types";
import { shapeBox } from "./extent";
import { pieces } from "./forms";
import type { Layer, Picture } from "./layer";
import { poseMatrix, type Poses } from "./poses";

const EDGE_ANGLE = 30;

export class Scenery implements Layer {
  readonly object = new Group();
  private readonly geometries: BufferGeometry[] = [];
  private readonly solid = new MeshLambertMaterial({ side: DoubleSide });
  private readonly clear = new MeshBasicMaterial({ side: BackSide, transparent: true, depthWrite: false });
  private readonly edge = new LineBasicMaterial({ transparent: true });

  constructor(model: Model, poses: Poses) {
    const lowest = Math.min(...poses.bodies.map((_, i) => poses.centre(i).z));
    for (const shape of model.shapes) {
      if (shape.body === null) this.add(shape, carries(shape, lowest));
    }
  }

  draw({ palette, display, quick }: Picture): void {
    // Large translucent faces, one behind the other, cost more than all else.
    this.clear.visible = !quick;
    this.solid.color.set(palette.scenery);
    this.clear.color.set(palette.scenery);
    this.clear.opacity = palette.sceneryOpacity;
    this.edge.color.set(palette.scenery);
    this.edge.opacity = 0.7;
    this.solid.wireframe = display.wireframe;
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry.dispose();
    for (const material of [this.solid, this.clear, this.edge]) material.dispose();
  }

  private add(shape: Shape, solid: boolean): void {
    const place = poseMatrix(shape.local);
    for (const piece of pieces(shape.geometry)) {
      const geometry = piece.build("fine");
      const mesh = new Mesh(geometry, solid ? this.solid : this.clear);
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
        this.object.add(object);
      }
    }
  }
}

/** Whether bodies are above a shape rather than behind it; terrain always carries. */
function carries(shape: Shape, lowest: number): boolean {
  const terrain = shape.geometry.type === "height_field" || shape.geometry.type === "triangle_mesh";
  return terrain || shapeBox(shape).max.z <= lowest;
}
