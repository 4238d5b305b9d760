// A grid that fades with distance, on a disc if wanted. It is made of lines and all shading is done at vertices:
// without a GPU, a shader that draws a grid costs more than all bodies together.
import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineSegments,
  Matrix4,
  Mesh,
  RingGeometry,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";
import type { Palette } from "./palette";

/** Radius, relative to the distance of the camera. */
const RADIUS = 4;
/** Distance between strong lines at most, relative to the distance of the camera. */
const DENSITY = 0.7;
/** Lines to each side of the middle, and pieces each line is cut into so that it can fade. */
const LINES = 24;
const CUTS = 6;
/** Opacity of fine and of strong lines. */
const FINE = 0.2;
const STRONG = 0.42;

const vertex = `
uniform float radius;
uniform vec2 middle;
varying float fade;
void main() {
  vec4 p = vec4(position, 1.0);
  gl_Position = projectionMatrix * modelViewMatrix * p;
  fade = 1.0 - smoothstep(0.05, 1.0, length(position.xy - middle) / radius);
}`;

const fragment = `
uniform vec3 colour;
uniform float opacity;
varying float fade;
void main() {
  gl_FragColor = vec4(colour, opacity * fade);
}`;

export class Grid {
  readonly object = new Group();
  /** Distance between strong lines, m. */
  spacing = 1;
  private readonly disc: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly fine: LineSegments<BufferGeometry, ShaderMaterial>;
  private readonly strong: LineSegments<BufferGeometry, ShaderMaterial>;

  /** With a filling of the given opacity. */
  constructor(filling: number) {
    const lines = lattice();
    this.disc = new Mesh(new RingGeometry(0, 1, 48, 6), shader());
    this.fine = new LineSegments(lines, shader());
    this.strong = new LineSegments(lines, shader());
    [this.disc, this.fine, this.strong].forEach((part, i) => {
      part.matrixAutoUpdate = false;
      part.frustumCulled = false;
      part.renderOrder = i - 4;
      this.object.add(part);
    });
    this.disc.visible = filling > 0;
    this.disc.material.uniforms.opacity.value = filling;
  }

  draw(palette: Palette, lines: boolean): void {
    this.fine.visible = this.strong.visible = lines;
    setColour(this.disc, palette.ground);
    setColour(this.fine, palette.gridLine);
    setColour(this.strong, palette.gridLine);
  }

  /** Lie in the x-y plane of `pose` about `target` (in its axes), seen from `distance`. */
  place(pose: Matrix4, target: Vector3, distance: number): void {
    const decades = Math.log10(DENSITY * distance);
    const fraction = decades - Math.floor(decades);
    this.spacing = 10 ** Math.floor(decades);
    const foot = new Vector3(target.x, target.y, 0);
    const radius = RADIUS * distance;
    this.fit(this.disc, pose, foot, radius, foot, radius);
    // Lines stay where they are when the camera moves: the lattice moves by whole steps.
    for (const [part, step, reach] of [[this.fine, 0.1 * this.spacing, 1], [this.strong, this.spacing, 4]] as const) {
      const snapped = foot.clone().divideScalar(10 * step).round().multiplyScalar(10 * step);
      this.fit(part, pose, snapped, step, foot, Math.min(reach * distance, 0.8 * LINES * step));
    }
    // Far out, fine lines would merge; they grow into the strong ones of the next decade.
    this.fine.material.uniforms.opacity.value = FINE * (1 - fraction);
    this.strong.material.uniforms.opacity.value = FINE + (STRONG - FINE) * (1 - fraction);
  }

  dispose(): void {
    for (const part of [this.disc, this.fine, this.strong]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }

  private fit(
    part: Mesh<BufferGeometry, ShaderMaterial> | LineSegments<BufferGeometry, ShaderMaterial>,
    pose: Matrix4, at: Vector3, scale: number, middle: Vector3, radius: number,
  ): void {
    part.matrix.copy(pose).multiply(new Matrix4().makeScale(scale, scale, 1).setPosition(at));
    const { uniforms } = part.material;
    uniforms.middle.value.set(middle.x - at.x, middle.y - at.y).divideScalar(scale);
    uniforms.radius.value = radius / scale;
  }
}

function shader(): ShaderMaterial {
  const uniforms = {
    colour: { value: new Color() },
    opacity: { value: 1 },
    radius: { value: 1 },
    middle: { value: new Vector2() },
  };
  return new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthWrite: false, side: DoubleSide });
}

function setColour(part: { material: ShaderMaterial }, colour: string): void {
  part.material.uniforms.colour.value.set(colour);
}

/** Lines one apart, along x and y. */
function lattice(): BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (const along of [0, 1]) {
    for (let i = -LINES; i <= LINES; i++) {
      for (let k = 0; k <= CUTS; k++) {
        const t = LINES * ((2 * k) / CUTS - 1);
        if (k > 0) index.push(position.length / 3 - 1, position.length / 3);
        position.push(...(along === 0 ? [t, i, 0] : [i, t, 0]));
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
  return geometry;
}
