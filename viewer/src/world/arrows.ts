// Arrows in the world, flat and turned to the camera. Seven corners each and no instances, since a software
// renderer pays for every one of them.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Mesh, ShaderMaterial, Vector3 } from "three";

/** Of the head: length and half width in half widths of the shaft. */
const HEAD_LENGTH = 6;
const HEAD_WIDTH = 2.8;

// Corners: across in half widths; along, 0 at the tail, 1 at the neck, 2 at the tip.
const CORNERS = [[-1, 0], [1, 0], [1, 1], [-1, 1], [-HEAD_WIDTH, 1], [HEAD_WIDTH, 1], [0, 2]];
const TRIANGLES = [0, 1, 2, 0, 2, 3, 4, 5, 6];

const vertex = `
attribute vec3 tail, arrow, ink, corner;
varying vec3 shade;
void main() {
  float size = length(arrow);
  float head = min(${HEAD_LENGTH.toFixed(1)} * corner.z, 0.6 * size);
  // Short arrows are thinner, so that they keep their form.
  float across = head / ${HEAD_LENGTH.toFixed(1)};
  float along = corner.y < 0.5 ? 0.0 : corner.y < 1.5 ? size - head : size;
  vec3 direction = mat3(viewMatrix) * arrow / size;
  vec3 at = (viewMatrix * vec4(tail, 1.0)).xyz + along * direction;
  vec3 side = cross(direction, isOrthographic ? vec3(0.0, 0.0, -1.0) : at);
  at += across * corner.x * side / max(length(side), 1e-12);
  shade = ink;
  gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const fragment = `
uniform float opacity;
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, opacity);
}`;

/** Attributes of each corner; `corner` is where it is across and along, and the half width (m). */
const NAMES = ["tail", "arrow", "ink", "corner"] as const;
type Arrays = Record<(typeof NAMES)[number], Float32Array>;

export class Arrows {
  readonly object = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly materials = [material(1), material(0.35)];
  private arrays: Arrays;
  private capacity = 16;
  private count = 0;

  constructor() {
    this.arrays = this.allocate();
    // The second time faintly through what hides them.
    this.materials.forEach((material, i) => {
      const mesh = new Mesh(this.geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 5 * i;
      this.object.add(mesh);
    });
  }

  clear(): void {
    this.count = 0;
  }

  /** An arrow from `at` by `vector` (m), its shaft `2 width` wide. */
  add(at: Vector3, vector: Vector3, width: number, colour: Color): void {
    const length = vector.length();
    // Also refuses NaN.
    if (!(length > 0.2 * width) || length === Infinity) return;
    if (this.count === this.capacity) this.grow();
    const { tail, arrow, ink, corner } = this.arrays;
    const first = 3 * CORNERS.length * this.count;
    for (let k = 0; k < CORNERS.length; k++) {
      const o = first + 3 * k;
      write(tail, o, at.x, at.y, at.z);
      write(arrow, o, vector.x, vector.y, vector.z);
      write(ink, o, colour.r, colour.g, colour.b);
      write(corner, o, CORNERS[k][0], CORNERS[k][1], width);
    }
    this.count++;
  }

  /** To be called after changes; `hidden`: show also those behind bodies, faintly. */
  commit(hidden: boolean): void {
    this.object.children[1].visible = hidden;
    this.object.visible = this.count > 0;
    this.geometry.setDrawRange(0, TRIANGLES.length * this.count);
    for (const name of NAMES) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * CORNERS.length * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }

  private grow(): void {
    const old = this.arrays;
    this.capacity *= 2;
    // Frees the buffers of the present size; they are made anew when next drawn.
    this.geometry.dispose();
    this.arrays = this.allocate();
    for (const name of NAMES) this.arrays[name].set(old[name]);
  }

  private allocate(): Arrays {
    const arrays = {} as Arrays;
    for (const name of NAMES) {
      arrays[name] = new Float32Array(3 * CORNERS.length * this.capacity);
      this.geometry.setAttribute(name, new BufferAttribute(arrays[name], 3).setUsage(DynamicDrawUsage));
    }
    const index = Array.from({ length: this.capacity }, (_, i) => TRIANGLES.map((k) => CORNERS.length * i + k));
    this.geometry.setIndex(index.flat());
    return arrays;
  }
}

function write(to: Float32Array, o: number, x: number, y: number, z: number): void {
  to[o] = x;
  to[o + 1] = y;
  to[o + 2] = z;
}

function material(opacity: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: { opacity: { value: opacity } },
    side: DoubleSide,
    transparent: opacity < 1,
    depthTest: opacity === 1,
    depthWrite: opacity === 1,
  });
}
