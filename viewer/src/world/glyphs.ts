// What joints look like: one small geometry for each type, of unit size about the joint frame, z the
// principal axis.
import {
  BoxGeometry,
  BufferGeometry,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

type Builder = () => BufferGeometry[];
type Direction = "x" | "y" | "z";

const builders: Record<string, Builder> = {
  fixed: () => [new BoxGeometry(0.7, 0.7, 0.7)],
  revolute: () => [ring("z"), line("z", 2.6)],
  prismatic: () => [slide("z", 2.8), new BoxGeometry(0.7, 0.7, 0.9)].flat(),
  screw: () => [helix(), line("z", 2.6)],
  cylindrical: () => [ring("z"), ...slide("z", 2.8)],
  universal: () => [...pin("x"), ...pin("y"), ball(0.3)],
  spherical: () => [ball(0.6)],
  gimbal: () => [ring("x", 0.8), ring("y", 0.95), ring("z", 1.1), ball(0.35)],
  planar: () => [plate(), ...slide("x", 2), ...slide("y", 2), ring("z", 0.45)],
  cartesian: () => [...slide("x", 2), ...slide("y", 2), ...slide("z", 2)],
  point_on_line: () => [ball(0.45), line("z", 3)],
  point_on_plane: () => [ball(0.45), plate()],
  distance: () => [ball(0.4)],
  chain: () => [ring("x", 0.7), ring("y", 0.7), ball(0.3)],
};

/** The glyph of a joint type; null for one that locks nothing. A type this page does not know is a ball. */
export function glyph(type: string): BufferGeometry | null {
  if (type === "free") return null;
  const parts = (builders[type] ?? builders.spherical)().map((part) => {
    const plain = part.index ? part.toNonIndexed() : part;
    plain.deleteAttribute("uv");
    return plain;
  });
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged;
}

/** A pyramid that holds a point of the world: apex at the origin, base below. */
export function pedestal(): BufferGeometry {
  return new ConeGeometry(0.8, 1.3, 4, 1).rotateX(Math.PI / 2).rotateZ(Math.PI / 4).translate(0, 0, -0.65);
}

/** Turn what is built along z. */
function turned(geometry: BufferGeometry, to: Direction): BufferGeometry {
  if (to === "x") return geometry.rotateY(Math.PI / 2);
  return to === "y" ? geometry.rotateX(-Math.PI / 2) : geometry;
}

function rod(radius: number, length: number, to: Direction): BufferGeometry {
  return turned(new CylinderGeometry(radius, radius, length, 8).rotateX(Math.PI / 2), to);
}

const line = (to: Direction, length: number) => rod(0.07, length, to);
const ball = (radius: number) => new SphereGeometry(radius, 16, 10);
const plate = () => new BoxGeometry(1.8, 1.8, 0.08);
const ring = (about: Direction, radius = 0.75) => turned(new TorusGeometry(radius, 0.13, 8, 28), about);

function pin(to: Direction): BufferGeometry[] {
  const end = (side: number) => turned(new CylinderGeometry(0.22, 0.22, 0.3, 10).rotateX(Math.PI / 2).translate(0, 0, side), to);
  return [rod(0.12, 2, to), end(1), end(-1)];
}

/** An arrow to both sides. */
function slide(to: Direction, length: number): BufferGeometry[] {
  const head = (side: number) =>
    turned(new ConeGeometry(0.26, 0.6, 12).rotateX((side * Math.PI) / 2).translate(0, 0, side * (length / 2 - 0.1)), to);
  return [rod(0.09, length - 0.6, to), head(1), head(-1)];
}

class Helix extends Curve<Vector3> {
  constructor() {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const angle = 6 * Math.PI * t;
    return out.set(0.65 * Math.cos(angle), 0.65 * Math.sin(angle), 1.6 * (t - 0.5));
  }
}

const helix = () => new TubeGeometry(new Helix(), 60, 0.1, 6);
