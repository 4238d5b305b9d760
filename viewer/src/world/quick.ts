// Bodies for machines without a GPU. A software renderer pays some 30 µs for each instance and 1 µs for each
// vertex it shades, so here all bodies are one mesh whose vertices are placed and lit by the page itself.
// Shadows are the same mesh once more, flattened on the ground.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  ReplaceStencilOp,
  ShaderMaterial,
} from "three";
import type { Lights } from "./lights";
import type { Palette } from "./palette";

/** One piece of a body in the common mesh. */
interface Part {
  vertices: ArrayLike<number>;
  normals: ArrayLike<number>;
  /** Number of its first vertex. */
  first: number;
}

const shadowVertex = `
uniform vec3 sun_direction;
uniform float height;
void main() {
  vec3 p = position - sun_direction * (max(0.0, position.z - height) / sun_direction.z);
  gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
}`;

const shadowFragment = `
uniform vec4 colour;
void main() {
  gl_FragColor = colour;
}`;

export class QuickBodies {
  readonly object = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly parts: Part[] = [];
  private readonly shadow: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly materials: [MeshBasicMaterial, ShaderMaterial];

  /** One geometry for each piece; shadows fall on a level plane at `floor`, m. */
  constructor(pieces: BufferGeometry[], private readonly lights: Lights, floor: number) {
    const index: number[] = [];
    let count = 0;
    for (const piece of pieces) {
      const { position, normal } = piece.attributes;
      const corners = piece.index?.array ?? Array.from({ length: position.count }, (_, i) => i);
      for (const corner of corners) index.push(count + corner);
      this.parts.push({ vertices: position.array, normals: normal.array, first: count });
      count += position.count;
    }
    for (const name of ["position", "color"]) {
      const attribute = new BufferAttribute(new Float32Array(3 * count), 3);
      this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    this.geometry.setIndex(index);
    const paint = new MeshBasicMaterial({ vertexColors: true });
    this.materials = [paint, shadowMaterial(lights, floor)];
    this.shadow = new Mesh(this.geometry, this.materials[1]);
    this.shadow.renderOrder = -1;
    this.object.add(new Mesh(this.geometry, paint), this.shadow);
    for (const mesh of this.object.children) mesh.frustumCulled = false;
  }

  setShadow(shown: boolean, palette: Palette): void {
    this.shadow.visible = shown;
    this.shadow.material.uniforms.colour.value = [...new Color(palette.shadow).toArray(), palette.shadowStrength];
  }

  /** Place piece `i`. */
  move(i: number, matrix: Matrix4, colour: Color): void {
    const { vertices, normals, first } = this.parts[i];
    const positions = this.geometry.attributes.position.array;
    const colours = this.geometry.attributes.color.array;
    const { direction: sun, sunColour, skyColour, groundColour } = this.lights;
    const [a, b, c, , d, e, f, , g, h, k, , x, y, z] = matrix.elements;
    // Normals of a scaled form go with the inverse of the scale.
    const [sx, sy, sz] = [1 / (a * a + b * b + c * c), 1 / (d * d + e * e + f * f), 1 / (g * g + h * h + k * k)];
    for (let v = 0, o = 3 * first; v < vertices.length; v += 3, o += 3) {
      const [px, py, pz] = [vertices[v], vertices[v + 1], vertices[v + 2]];
      positions[o] = a * px + d * py + g * pz + x;
      positions[o + 1] = b * px + e * py + h * pz + y;
      positions[o + 2] = c * px + f * py + k * pz + z;
      const [qx, qy, qz] = [sx * normals[v], sy * normals[v + 1], sz * normals[v + 2]];
      const [nx, ny, nz] = [a * qx + d * qy + g * qz, b * qx + e * qy + h * qz, c * qx + f * qy + k * qz];
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      const facing = Math.max(0, nx * sun.x + ny * sun.y + nz * sun.z) / length;
      const up = 0.5 + (0.5 * nz) / length;
      colours[o] = colour.r * (groundColour.r + up * (skyColour.r - groundColour.r) + facing * sunColour.r);
      colours[o + 1] = colour.g * (groundColour.g + up * (skyColour.g - groundColour.g) + facing * sunColour.g);
      colours[o + 2] = colour.b * (groundColour.b + up * (skyColour.b - groundColour.b) + facing * sunColour.b);
    }
  }

  /** To be called after all pieces were placed. */
  commit(): void {
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.color.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}

function shadowMaterial(lights: Lights, floor: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: shadowVertex,
    fragmentShader: shadowFragment,
    uniforms: { sun_direction: { value: lights.direction }, height: { value: floor }, colour: { value: [0, 0, 0, 0] } },
    transparent: true,
    depthWrite: false,
    // A point in the shadow of two bodies is not darker than in that of one.
    stencilWrite: true,
    stencilRef: 1,
    stencilFunc: NotEqualStencilFunc,
    stencilZPass: ReplaceStencilOp,
  });
}
