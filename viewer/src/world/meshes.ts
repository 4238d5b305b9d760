// Geometries given by points: hulls, meshes, height fields.
import { Box3, BoxGeometry, BufferGeometry, Float32BufferAttribute, Vector3 } from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Geometry, Vec3 } from "../types";

/** Faces that meet at more than this angle (rad) are drawn with a crease. */
const CREASE = 0.6;
/** Finding creases compares all corners; larger meshes are smoothed all over. */
const MAX_CREASED = 60_000;

/** The hull of points; a flat or otherwise degenerate one is drawn as its bounding box. */
export function convexHull(points: Vec3[]): BufferGeometry {
  const corners = points.map((p) => new Vector3(...p));
  const hull = corners.length < 4 ? null : new ConvexGeometry(corners);
  if (hull && hull.getAttribute("position").count > 0) return hull;
  hull?.dispose();
  const box = new Box3().setFromPoints(corners);
  const size = box.getSize(new Vector3());
  const centre = box.getCenter(new Vector3());
  return new BoxGeometry(size.x, size.y, size.z).translate(centre.x, centre.y, centre.z);
}

export function triangleMesh(vertices: Vec3[], triangles: Vec3[]): BufferGeometry {
  const mesh = new BufferGeometry();
  mesh.setAttribute("position", new Float32BufferAttribute(vertices.flat(), 3));
  mesh.setIndex(triangles.flat());
  if (triangles.length <= MAX_CREASED) return toCreasedNormals(mesh, CREASE);
  mesh.computeVertexNormals();
  return mesh;
}

/** Sample (i, j) at i·ny + j, i along x and j along y, centred on the origin. */
export function heightField(g: Extract<Geometry, { type: "height_field" }>): BufferGeometry {
  const { nx, ny, heights, size } = g;
  const position: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      position.push(size[0] * (i / (nx - 1) - 0.5), size[1] * (j / (ny - 1) - 0.5), heights[i * ny + j]);
      if (i + 1 === nx || j + 1 === ny) continue;
      const a = i * ny + j;
      index.push(a, a + ny, a + ny + 1, a, a + ny + 1, a + 1);
    }
  }
  const mesh = new BufferGeometry();
  mesh.setAttribute("position", new Float32BufferAttribute(position, 3));
  mesh.setIndex(index);
  mesh.computeVertexNormals();
  return mesh;
}
