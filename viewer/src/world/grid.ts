// A grid that fades with distance, on a disc if wanted. It is made of few lines and all shading is done at
// vertices: without a GPU, a shader that draws a grid costs more than all bodies together.
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
  Vector3,
} from "three";
import type { Palette } from "./palette";

/** Radius of grid and disc, relative to the distance of the camera. */
const RADIUS = 4;
/** Distance between strong lines at most, relative to the distance of the camera. */
const DENSITY = 0.4;
/** Opacity of fine and of strong lines. */
const FINE = 0.22;
const STRONG = 0.5;
/** Lines to each side of the middle: of lines a tenth of the strong ones' distance apart, of these, of tenfold. */
const LINES = [14, 16, 6];

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

export class Grid {
  readonly object = new Group();
  /** Distance between strong lines, m. */
  spacing = 1;
  private readonly disc = new Mesh(fadingDisc(), shader());
  private readonly levels = LINES.map((lines) => new LineSegments(lattice(lines), shader()));

  /** With a filling of the given opacity. */
  constructor(private readonly filling: number) {
    [this.disc, ...this.levels].forEach((part) => {
      part.matrixAutoUpdate = false;
      part.frustumCulled = false;
      part.renderOrder = part === this.disc ? -3 : -2;
      this.object.add(part);
    });
    this.disc.material.uniforms.opacity.value = filling;
  }

  draw(palette: Palette, lines: boolean): void {
    this.disc.visible = this.filling > 0;
    this.disc.material.uniforms.colour.value.set(palette.scenery);
    for (const level of this.levels) {
      level.visible = lines;
      level.material.uniforms.colour.value.set(palette.gridLine);
    }
  }

  /** Lie in the x-y plane of `pose` about `target` (in its axes), seen from `distance`. */
  place(pose: Matrix4, target: Vector3, distance: number): void {
    const decades = Math.log10(DENSITY * distance);
    const fraction = decades - Math.floor(decades);
    this.spacing = 10 ** Math.floor(decades);
    put(this.disc, pose, new Vector3(target.x, target.y, 0), RADIUS * distance);
    // Seen from further away, lines fade and strong ones take their place.
    const opacity = [FINE * (1 - fraction), FINE + (STRONG - FINE) * (1 - fraction), STRONG];
    this.levels.forEach((level, i) => {
      const step = this.spacing * 10 ** (i - 1);
      // Lines stay where they are when the camera moves: the lattice moves by whole steps.
      const at = new Vector3(Math.round(target.x / step) * step, Math.round(target.y / step) * step, 0);
      put(level, pose, at, step);
      level.material.uniforms.opacity.value = opacity[i];
    });
  }

  dispose(): void {
    for (const part of [this.disc, ...this.levels]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

function put(part: Mesh | LineSegments, pose: Matrix4, at: Vector3, scale: number): void {
  part.matrix.copy(pose).multiply(new Matrix4().makeScale(scale, scale, 1).setPosition(at));
}

function shader(): ShaderMaterial {
  const uniforms = { colour: { value: new Color() }, opacity: { value: 1 } };
  return new ShaderMaterial({
    vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthWrite: false, side: DoubleSide,
  });
}

/** Lines one apart along x and y, in a circle; each is strongest in its middle. */
function lattice(lines: number): BufferGeometry {
  const position: number[] = [];
  const fade: number[] = [];
  for (let i = 1 - lines; i < lines; i++) {
    const end = Math.sqrt(lines * lines - i * i);
    const strength = (end / lines) ** 2;
    for (const [from, to] of [[-end, 0], [0, end]]) {
      position.push(from, i, 0, to, i, 0, i, from, 0, i, to, 0);
      fade.push(...[from, to, from, to].map((t) => (t === 0 ? strength : 0)));
    }
  }
  return withFade(position, fade);
}

function fadingDisc(): BufferGeometry {
  const disc = new RingGeometry(0, 1, 48, 6);
  const position = [...disc.attributes.position.array];
  const fade = Array.from({ length: position.length / 3 }, (_, i) => 1 - Math.hypot(position[3 * i], position[3 * i + 1]));
  const geometry = withFade(position, fade);
  geometry.setIndex(disc.index);
  return geometry;
}

function withFade(position: number[], fade: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("fade", new Float32BufferAttribute(fade, 1));
  return geometry;
}
