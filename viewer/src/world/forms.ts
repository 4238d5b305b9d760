// What shapes look like: each geometry is one or more pieces, and pieces of one form differ only by their
// placing and scale, so that all spheres (boxes, …) of a scene can be drawn at once.
import { Box3, BoxGeometry, BufferGeometry, CylinderGeometry, Matrix4, SphereGeometry, Vector3, type Texture } from "three";
import type { Geometry, Shape, Vec3 } from "../types";
import { convexHull, heightField, triangleMesh } from "./meshes";
import { lay, type Textures } from "./textures";

/** How finely round forms are divided. */
export type Detail = "fine" | "coarse";

export interface Piece {
  /** Pieces with the same form have the same geometry. */
  form: string;
  build: (detail: Detail) => BufferGeometry;
  /** From the form to the shape's frame. */
  local: Matrix4;
  /** Bounds of the form. */
  box: Box3;
  /** Has edges worth a line. */
  edged: boolean;
  /** The image on it. */
  map?: Texture;
}

const ROUND = { fine: 32, coarse: 8 };
/** Caps reach a little into the tube they close, lest the background shines through the seam. */
const CAP = 0.52 * Math.PI;
const upright = (geometry: BufferGeometry): BufferGeometry => geometry.rotateX(Math.PI / 2);

/** Forms of unit size about the origin, axis along z. */
const units = {
  sphere: (d: Detail) => upright(new SphereGeometry(1, ROUND[d], Math.ceil(ROUND[d] / 2))),
  box: () => new BoxGeometry(2, 2, 2),
  cylinder: (d: Detail) => upright(new CylinderGeometry(1, 1, 2, ROUND[d])),
  tube: (d: Detail) => upright(new CylinderGeometry(1, 1, 2, ROUND[d], 1, true)),
  cone: (d: Detail) => upright(new CylinderGeometry(0, 1, 2, ROUND[d])),
  cap: (d: Detail) => upright(new SphereGeometry(1, ROUND[d], Math.floor(ROUND[d] / 4), 0, 2 * Math.PI, 0, CAP)),
};

const EDGED = new Set(["box", "cylinder", "cone"]);

/** A piece of unit form, scaled and then placed. */
export function unit(form: keyof typeof units, x: number, y: number, z: number, place?: Matrix4): Piece {
  const local = new Matrix4().makeScale(x, y, z);
  if (place) local.premultiply(place);
  const box = new Box3(new Vector3(-1, -1, form === "cap" ? 0 : -1), new Vector3(1, 1, 1));
  return { form, build: units[form], local, box, edged: EDGED.has(form) };
}

/** A round bar between two points. */
export function bar(from: Vector3, to: Vector3, radius: number): Piece {
  const along = to.clone().sub(from);
  const place = new Matrix4().lookAt(along, new Vector3(), Math.abs(along.z) > 0.9 * along.length() ? X : Z);
  place.setPosition(from.clone().add(to).multiplyScalar(0.5));
  return unit("cylinder", radius, radius, along.length() / 2, place);
}

const X = new Vector3(1, 0, 0);
const Z = new Vector3(0, 0, 1);

/** The pieces of a geometry in its own frame; none for a half-space, which is the ground's to draw. */
export function pieces(g: Geometry): Piece[] {
  switch (g.type) {
    case "half_space":
      return [];
    case "sphere":
      return [unit("sphere", g.radius, g.radius, g.radius)];
    case "box":
      return [unit("box", ...g.half_extents)];
    case "cylinder":
      return [unit("cylinder", g.radius, g.radius, g.half_length)];
    case "cone":
      return [unit("cone", g.radius, g.radius, g.half_length)];
    case "ellipsoid":
      return [unit("sphere", ...g.radii)];
    case "capsule": {
      const { radius: r, half_length: h } = g;
      const top = new Matrix4().makeTranslation(0, 0, h);
      const bottom = new Matrix4().makeRotationX(Math.PI).setPosition(0, 0, -h);
      return [unit("tube", r, r, h), unit("cap", r, r, r, top), unit("cap", r, r, r, bottom)];
    }
    case "convex_hull":
      return [own(g, g.points, () => convexHull(g.points), true)];
    case "triangle_mesh":
      return [own(g, g.vertices, () => triangleMesh(g.vertices, g.triangles), true)];
    case "height_field": {
      const [x, y] = [g.size[0] / 2, g.size[1] / 2];
      const corners: Vec3[] = g.heights.map((z, i) => (i % 2 ? [x, y, z] : [-x, -y, z]));
      return [own(g, corners, () => heightField(g), false)];
    }
  }
}

/** The pieces of a shape with the image on it, in the shape's frame. */
export function piecesOf({ geometry, texture }: Shape, textures: Textures): Piece[] {
  const plain = pieces(geometry);
  if (!texture) return plain;
  const map = textures.get(texture.texture);
  return plain.map((piece) => {
    const local = piece.local.clone();
    const form = `${piece.form} ${JSON.stringify([texture, local.elements])}`;
    const build = texture.mapping.type === "cube" && piece.form === "sphere" ? cubeSphere : piece.build;
    return { ...piece, form, map, build: (detail) => lay(build(detail), texture, local) };
  });
}

/** A unit sphere whose triangles each lie on one side of the box about it. */
function cubeSphere(detail: Detail): BufferGeometry {
  const sphere = new BoxGeometry(2, 2, 2, ROUND[detail] / 2, ROUND[detail] / 2, ROUND[detail] / 2);
  const { position, normal } = sphere.attributes;
  const corner = new Vector3();
  for (let i = 0; i < position.count; i++) {
    corner.fromBufferAttribute(position, i).normalize();
    position.setXYZ(i, ...corner.toArray());
    normal.setXYZ(i, ...corner.toArray());
  }
  return sphere;
}

/** A form of its own, shared by equal geometries. */
function own(g: Geometry, points: Vec3[], build: () => BufferGeometry, edged: boolean): Piece {
  const box = new Box3();
  const point = new Vector3();
  for (const p of points) box.expandByPoint(point.set(...p));
  return { form: JSON.stringify(g), build, local: new Matrix4(), box, edged };
}
