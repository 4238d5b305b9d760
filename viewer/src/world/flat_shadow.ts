// The shadow of a mesh on the level ground, without a shadow map: the mesh is drawn once more, flattened along
// the light, into a small picture that then lies on the ground. Smoothing the picture softens the edges.
import {
  Box3,
  BufferGeometry,
  Color,
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector3,
  Vector4,
  WebGLRenderTarget,
  type WebGLRenderer,
} from "three";
import type { Palette } from "./palette";

/** Width and height of the picture, pixels. */
const PIXELS = 256;

const castVertex = `
uniform vec3 sun;
uniform float height;
void main() {
  vec3 p = position - sun * ((position.z - height) / sun.z);
  gl_Position = projectionMatrix * viewMatrix * vec4(p.xy, position.z < height ? 1e9 : 0.0, 1.0);
}`;

const castFragment = `
void main() {
  gl_FragColor = vec4(1.0);
}`;

const layVertex = `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const layFragment = `
uniform sampler2D map;
uniform vec4 colour;
varying vec2 at;
void main() {
  gl_FragColor = vec4(colour.rgb, colour.a * texture2D(map, at).r);
}`;

export class FlatShadow {
  /** What lies on the ground. */
  readonly object: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly picture = new WebGLRenderTarget(PIXELS, PIXELS, { depthBuffer: false });
  private readonly caster: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();
  private stale = false;
  private skip = false;

  /** Of vertices in the world, in light from `sun` (unit), on the plane at `height` (m). */
  constructor(geometry: BufferGeometry, private readonly sun: Vector3, private readonly height: number) {
    const flatten = { sun: { value: sun }, height: { value: height } };
    this.caster = new Mesh(geometry, new ShaderMaterial({ vertexShader: castVertex, fragmentShader: castFragment, uniforms: flatten }));
    this.caster.frustumCulled = false;
    this.scene.add(this.caster);
    const lay = { map: { value: this.picture.texture }, colour: { value: new Vector4() } };
    this.object = new Mesh(
      new PlaneGeometry(1, 1),
      new ShaderMaterial({ vertexShader: layVertex, fragmentShader: layFragment, uniforms: lay, transparent: true, depthWrite: false }),
    );
    this.object.renderOrder = -1;
    this.object.onBeforeRender = (renderer) => this.take(renderer);
  }

  /** Bodies have moved, within a box (m). Every other time will do: a shadow that is one frame late is not seen to be. */
  update(box: Box3, palette: Palette): void {
    this.skip = !this.skip;
    if (!this.skip) return;
    this.stale = true;
    const { min, max } = footprint(box, this.sun, this.height);
    this.object.position.set((min.x + max.x) / 2, (min.y + max.y) / 2, this.height);
    this.object.scale.set(max.x - min.x, max.y - min.y, 1);
    Object.assign(this.camera, { left: min.x, right: max.x, bottom: min.y, top: max.y, near: -1, far: 1 });
    this.camera.updateProjectionMatrix();
    const [r, g, b] = new Color(palette.shadow).toArray();
    this.object.material.uniforms.colour.value.set(r, g, b, palette.shadowStrength);
  }

  dispose(): void {
    this.picture.dispose();
    this.caster.material.dispose();
    this.object.material.dispose();
    this.object.geometry.dispose();
  }

  private take(renderer: WebGLRenderer): void {
    if (!this.stale) return;
    this.stale = false;
    const target = renderer.getRenderTarget();
    renderer.setRenderTarget(this.picture);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(target);
  }
}

/** Where the shadow of a box falls on the level plane at `height`, m. */
function footprint(box: Box3, sun: Vector3, height: number): Box3 {
  const all = new Box3();
  for (const { x, y } of [box.min, box.max]) {
    for (const z of [box.min.z, box.max.z]) {
      const by = Math.max(0, z - height) / sun.z;
      all.expandByPoint(new Vector3(x - by * sun.x, y - by * sun.y, height));
    }
  }
  return all;
}
