// Lines some pixels wide, which WebGL itself does not have: each segment is a quad turned to the camera.
import {
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";

const vertex = `
attribute vec3 start, end;
attribute vec4 colour_start, colour_end;
uniform vec2 pixels;
uniform float width;
varying vec4 colour;
// Points behind the camera would be projected to the wrong side.
vec4 before(vec4 p, vec4 other) {
  float near = -0.001;
  return isOrthographic || p.z < near ? p : mix(p, other, (p.z - near) / (p.z - other.z));
}
void main() {
  vec4 a = modelViewMatrix * vec4(start, 1.0);
  vec4 b = modelViewMatrix * vec4(end, 1.0);
  vec4 pa = projectionMatrix * before(a, b);
  vec4 pb = projectionMatrix * before(b, a);
  vec2 along = (pb.xy / pb.w - pa.xy / pa.w) * pixels;
  vec2 side = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
  gl_Position = position.x < 0.5 ? pa : pb;
  gl_Position.xy += position.y * width * side / pixels * gl_Position.w;
  colour = position.x < 0.5 ? colour_start : colour_end;
}`;

const fragment = `
varying vec4 colour;
void main() {
  gl_FragColor = colour;
}`;

const ATTRIBUTES = { start: 3, end: 3, colour_start: 4, colour_end: 4 } as const;
type Name = keyof typeof ATTRIBUTES;

export class Strokes {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private count = 0;

  /** At most `capacity` segments, `width` CSS pixels wide; `onTop`: nothing hides them. */
  constructor(private readonly capacity: number, width: number, onTop = false) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, size] of Object.entries(ATTRIBUTES)) {
      const attribute = new InstancedBufferAttribute(new Float32Array(size * capacity), size);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    const uniforms = { pixels: { value: new Vector2(1, 1) }, width: { value: width } };
    const material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthTest: !onTop, depthWrite: false,
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = onTop ? 6 : 4;
    this.object.onBeforeRender = (renderer) => void renderer.getSize(uniforms.pixels.value);
  }

  clear(): void {
    this.count = 0;
  }

  /** Add a segment whose colour and opacity go from one end's to the other's. */
  add(start: Vector3, end: Vector3, colour: Color, opacityStart = 1, opacityEnd = 1): void {
    if (this.count === this.capacity) return;
    const i = this.count++;
    start.toArray(this.array("start"), 3 * i);
    end.toArray(this.array("end"), 3 * i);
    for (const [name, opacity] of [["colour_start", opacityStart], ["colour_end", opacityEnd]] as const) {
      colour.toArray(this.array(name), 4 * i);
      this.array(name)[4 * i + 3] = opacity;
    }
  }

  commit(): void {
    const { geometry } = this.object;
    geometry.instanceCount = this.count;
    this.object.visible = this.count > 0;
    for (const [name, size] of Object.entries(ATTRIBUTES)) {
      const attribute = geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, size * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private array(name: Name): Float32Array {
    return this.object.geometry.getAttribute(name).array as Float32Array;
  }
}
