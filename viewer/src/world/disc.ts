// A disc that fades towards its rim: the filling of a tilted half-space, or of one with a texture.
import {
  BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Matrix4, Mesh, RingGeometry, ShaderMaterial, Vector2, Vector3, type Texture,
} from "three";
import type { Palette } from "./palette";

/** Radius, relative to the distance of the camera. */
const RADIUS = 4;

const vertex = `
attribute float fade;
uniform vec2 middle;
uniform vec2 repeat;
uniform float radius;
varying float strength;
varying vec2 at;
void main() {
  at = repeat * (radius * position.xy + middle) + 0.5;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  strength = fade;
}`;

const fragment = `
uniform vec3 colour;
uniform float opacity;
varying float strength;
#ifdef TEXTURED
uniform sampler2D image;
varying vec2 at;
#endif
void main() {
#ifdef TEXTURED
  gl_FragColor = vec4(colour * texture2D(image, at).rgb, opacity * min(1.0, 3.0 * strength));
#else
  gl_FragColor = vec4(colour, opacity * strength);
#endif
}`;

/** An image on a plane. */
export interface Surface {
  map: Texture;
  /** Images per metre. */
  repeat: [number, number];
  /** Multiplies the colours of the image. */
  colour: Color | null;
}

export class Disc {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(
    opacity: number,
    private readonly surface: Surface | null = null,
  ) {
    const uniforms = {
      colour: { value: surface?.colour ?? new Color(1, 1, 1) },
      opacity: { value: opacity },
      image: { value: surface?.map ?? null },
      repeat: { value: new Vector2(...(surface?.repeat ?? [0, 0])) },
      middle: { value: new Vector2() },
      radius: { value: 1 },
    };
    const material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthWrite: false, side: DoubleSide,
      defines: surface ? { TEXTURED: "" } : {},
    });
    this.object = new Mesh(fadingDisc(), material);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.object.renderOrder = -3;
  }

  draw(palette: Palette): void {
    if (!this.surface) this.object.material.uniforms.colour.value.set(palette.scenery);
  }

  /** Lie in the x-y plane of `pose` about `target` (in its axes), seen from `distance`. */
  place(pose: Matrix4, target: Vector3, distance: number): void {
    const { uniforms } = this.object.material;
    const radius = (uniforms.radius.value = RADIUS * distance);
    uniforms.middle.value.set(target.x, target.y);
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
