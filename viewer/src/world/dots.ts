// Round dots in the world: one vertex each.
import { BufferGeometry, Color, DynamicDrawUsage, Float32BufferAttribute, Group, Points, ShaderMaterial, Vector2, Vector3 } from "three";

const vertex = `
attribute vec3 ink;
uniform float radius;
uniform vec2 pixels;
varying vec3 shade;
void main() {
  shade = ink;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  // Half of the dot stands out of the surface it is on.
  gl_Position.z -= radius * projectionMatrix[2][2] * -0.5;
  gl_PointSize = max(3.0, projectionMatrix[1][1] * radius * pixels.y / gl_Position.w);
}`;

const fragment = `
uniform float opacity;
varying vec3 shade;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float d = dot(p, p);
  if (d > 1.0) discard;
  gl_FragColor = vec4(d > 0.55 ? 0.6 * shade : shade, opacity);
}`;

export class Dots {
  readonly object = new Group();
  private geometry = new BufferGeometry();
  private readonly uniforms = { radius: { value: 1 }, pixels: { value: new Vector2(1, 1) } };
  private readonly materials = [this.material(1), this.material(0.4)];
  private capacity = 16;
  private count = 0;

  constructor() {
    this.allocate();
    // The second time faintly through what hides them.
    this.materials.forEach((material, i) => {
      const points = new Points(this.geometry, material);
      points.frustumCulled = false;
      points.renderOrder = 5 * i;
      points.onBeforeRender = (renderer) => void renderer.getDrawingBufferSize(this.uniforms.pixels.value);
      this.object.add(points);
    });
  }

  /** Start again, with dots of a radius in m. */
  clear(radius: number): void {
    this.count = 0;
    this.uniforms.radius.value = radius;
  }

  add(at: Vector3, colour: Color): void {
    if (this.count === this.capacity) this.grow();
    at.toArray(this.geometry.getAttribute("position").array, 3 * this.count);
    colour.toArray(this.geometry.getAttribute("ink").array, 3 * this.count);
    this.count++;
  }

  commit(): void {
    this.object.visible = this.count > 0;
    this.geometry.setDrawRange(0, this.count);
    for (const name of ["position", "ink"]) {
      const attribute = this.geometry.getAttribute(name) as Float32BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }

  private grow(): void {
    const { position, ink } = this.geometry.attributes;
    this.capacity *= 2;
    this.geometry.dispose();
    this.allocate();
    (this.geometry.getAttribute("position").array as Float32Array).set(position.array);
    (this.geometry.getAttribute("ink").array as Float32Array).set(ink.array);
  }

  private allocate(): void {
    for (const name of ["position", "ink"]) {
      const attribute = new Float32BufferAttribute(new Float32Array(3 * this.capacity), 3);
      this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
  }

  private material(opacity: number): ShaderMaterial {
    return new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...this.uniforms, opacity: { value: opacity } },
      transparent: opacity < 1,
      depthTest: opacity === 1,
      depthWrite: opacity === 1,
    });
  }
}
