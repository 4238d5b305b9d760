// The ground: a disc under the camera's target with a grid that fades out. Half-spaces are filled, and a
// scene without any gets a bare grid to show where down is.
import { CircleGeometry, Color, DoubleSide, Group, Matrix4, Mesh, ShadowMaterial, Vector2, Vector3 } from "three";
import type { Model } from "../types";
import { facesUp, type Extent } from "./extent";
import type { Layer, Picture } from "./layer";
import { poseMatrix, type Poses } from "./poses";

/** Radius of the disc and distance between strong lines, relative to the distance of the camera. */
const RADIUS = 5;
const MAJOR = 0.35;

interface Plane {
  mesh: Mesh;
  pose: Matrix4;
  inverse: Matrix4;
  level: boolean;
  /** A half-space, and not only a grid. */
  filled: boolean;
}

export class Ground implements Layer {
  readonly object = new Group();
  private readonly planes: Plane[];
  private readonly geometry = new CircleGeometry(1, 48);
  private readonly uniforms = {
    fill: { value: new Color() },
    line: { value: new Color() },
    shade: { value: new Color() },
    shade_strength: { value: 0 },
    /** Distance between fine lines, m, and how much of them is left. */
    spacing: { value: 1 },
    fine: { value: 1 },
    radius: { value: 1 },
    grid: { value: 1 },
  };

  constructor(model: Model, extent: Extent, poses: Poses) {
    const halfSpaces = model.shapes.filter((s) => s.body === null && s.geometry.type === "half_space");
    this.planes = halfSpaces.map((shape) => this.plane(poseMatrix(shape.local), true));
    if (!this.planes.some((plane) => plane.level)) {
      const { min } = extent.bodies(poses);
      // The grid is at z = 0 unless that would cut through the mechanism.
      const low = min.z < -0.02 * extent.sizes.scene && min.z !== Infinity;
      const height = low ? min.z - 0.08 * extent.sizes.scene : 0;
      this.planes.push(this.plane(new Matrix4().makeTranslation(0, 0, height), false));
    }
    for (const { mesh } of this.planes) this.object.add(mesh);
  }

  draw({ palette, display }: Picture): void {
    const { uniforms } = this;
    uniforms.fill.value.set(palette.ground);
    uniforms.line.value.set(palette.gridLine);
    uniforms.shade.value.set(palette.shadow);
    uniforms.shade_strength.value = display.shadows ? palette.shadowStrength : 0;
    uniforms.grid.value = display.grid ? 1 : 0;
    for (const plane of this.planes) plane.mesh.visible = plane.filled || display.grid;
  }

  /** Centre the discs under what the camera looks at, `distance` (m) away from it. */
  centre(target: Vector3, distance: number): void {
    const decades = Math.log10(MAJOR * distance);
    const decade = Math.floor(decades);
    this.uniforms.spacing.value = 10 ** (decade - 1);
    this.uniforms.fine.value = 1 - (decades - decade);
    const radius = RADIUS * distance;
    this.uniforms.radius.value = radius;
    for (const { mesh, pose, inverse } of this.planes) {
      const foot = target.clone().applyMatrix4(inverse).setZ(0);
      (mesh.userData.offset as Vector2).set(foot.x, foot.y);
      mesh.matrix.copy(pose).multiply(new Matrix4().makeScale(radius, radius, 1).setPosition(foot));
    }
  }

  /** Distance between strong lines of the grid, m. */
  get spacing(): number {
    return 10 * this.uniforms.spacing.value;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const { mesh } of this.planes) (mesh.material as ShadowMaterial).dispose();
  }

  private plane(pose: Matrix4, filled: boolean): Plane {
    const offset = new Vector2();
    const level = facesUp(pose);
    const mesh = new Mesh(this.geometry, this.material(offset, filled ? (level ? 0.9 : 0.35) : 0));
    mesh.userData.offset = offset;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    return { mesh, pose, inverse: pose.clone().invert(), level, filled };
  }

  /** Three's material that only shows shadows, with grid and fill added. */
  private material(offset: Vector2, fillOpacity: number): ShadowMaterial {
    const material = new ShadowMaterial({ side: DoubleSide, depthWrite: false });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms, { offset: { value: offset }, fill_opacity: { value: fillOpacity } });
      shader.vertexShader = shader.vertexShader
        .replace("void main() {", "uniform float radius; uniform vec2 offset; varying vec2 place; varying vec2 on_disc;\nvoid main() {\n  on_disc = position.xy; place = radius * position.xy + offset;");
      shader.fragmentShader = shader.fragmentShader
        .replace("void main() {", `${GRID}\nvoid main() {`)
        .replace("gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );", SHADE);
    };
    return material;
  }
}

const GRID = `
uniform vec3 fill, line, shade;
uniform float fill_opacity, shade_strength, spacing, fine, grid;
varying vec2 place, on_disc;
// Coverage of a pixel by lines one unit apart; fades where they get too close to be told apart.
float lines(vec2 p) {
  vec2 step = fwidth(p);
  vec2 away = abs(fract(p - 0.5) - 0.5) / step;
  vec2 cover = (1.0 - clamp(away - 0.2, 0.0, 1.0)) * (1.0 - smoothstep(0.1, 0.4, step));
  return max(cover.x, cover.y);
}`;

const SHADE = `
  float fade = 1.0 - smoothstep(0.15, 1.0, length(on_disc));
  float drawn = grid * max(0.16 * fine * lines(place / spacing), 0.32 * lines(place / (10.0 * spacing)));
  float solid = gl_FrontFacing ? fill_opacity : 0.3 * fill_opacity;
  float dark = shade_strength * (1.0 - getShadowMask());
  vec3 tint = mix(fill, line, drawn / max(drawn + solid * (1.0 - drawn), 1e-4));
  float cover = drawn + solid * (1.0 - drawn);
  gl_FragColor = vec4(mix(tint, shade, dark / max(dark + cover * (1.0 - dark), 1e-4)), fade * (dark + cover * (1.0 - dark)));`;
