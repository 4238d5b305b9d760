// A disc that fades towards its rim: the filling of a tilted half-space.
import { BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Matrix4, Mesh, RingGeometry, ShaderMaterial, Vector3 } from "three";
import type { Palette } from "./palette";

/** Radius, relative to the distance of the camera. */
const RADIUS = 4;

const vertex = `
attribute float fade;
varying float strength;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  strength = fade;
}`;

const fragment = `
uniform vec3 colour;
uniform float opacity;
varying float strength;
void main() {
  gl_FragColor = vec4(colour, opacity * strength);
}`;

export class Disc {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(opacity: number) {
    const uniforms = { colour: { value: new Color() }, opacity: { value: opacity } };
    const material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthWrite: false, side: DoubleSide,
    });
    this.object = new Mesh(fadingDisc(), material);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.object.renderOrder = -3;
  }

  draw(palette: Palette): void {
    this.object.material.uniforms.colour.value.set(palette.scenery);
  }

  /** Lie in the x-y plane of `pose` about `target` (in its axes), seen from `distance`. */
  place(pose: Matrix4, target: Vector3, distance: number): void {
    const radius = RADIUS * distance;
    const place = new Matrix4().makeScale(radius, radius, 1).setPosition(target.x, target.y, 0);
    this.object.matrix.copy(pose).multiply(place);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

function fadingDisc(): BufferGeometry {
  const disc = new RingGeometry(0, 1, 48, 6);
  const position = [...disc.attributes.position.array];
  const fade = Array.from({ length: position.length / 3 }, (_, i) => 1 - Math.hypot(position[3 * i], position[3 * i + 1]));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("fade", new Float32BufferAttribute(fade, 1));
  geometry.setIndex(disc.index);
  return geometry;
}
