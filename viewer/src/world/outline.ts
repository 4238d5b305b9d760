// A line about the selected body: its pieces once more, a few pixels larger and seen from inside.
import { BackSide, BufferGeometry, Color, Group, Matrix4, Mesh, ShaderMaterial, Vector3 } from "three";

/** Width of the line, CSS pixels at 720 pixels of height. */
const WIDTH = 3;

// Vertices move away from the middle of their form, not along normals: those differ on both sides of an edge,
// which would tear the line there.
const vertex = `
uniform vec3 middle;
uniform vec3 half_size;
uniform float width;
void main() {
  vec3 outward = (position - middle) / half_size;
  mat3 turn = mat3(normalize(modelViewMatrix[0].xyz), normalize(modelViewMatrix[1].xyz), normalize(modelViewMatrix[2].xyz));
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  float metres_a_pixel = (isOrthographic ? 1.0 : -seen.z) * 2.0 / (projectionMatrix[1][1] * 720.0);
  seen.xyz += width * metres_a_pixel * turn * outward;
  gl_Position = projectionMatrix * seen;
}`;

const fragment = `
uniform vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
}`;

export class Outline {
  readonly object = new Group();
  private readonly spare: Mesh[] = [];

  clear(): void {
    for (const mesh of this.object.children as Mesh[]) this.spare.push(mesh);
    this.object.clear();
  }

  /** Draw about one piece. */
  add(geometry: BufferGeometry, matrix: Matrix4, colour: string): void {
    const mesh = this.spare.pop() ?? create();
    const { uniforms } = mesh.material as ShaderMaterial;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    geometry.boundingBox!.getCenter(uniforms.middle.value);
    geometry.boundingBox!.getSize(uniforms.half_size.value).multiplyScalar(0.5).addScalar(1e-9);
    uniforms.colour.value.set(colour);
    mesh.geometry = geometry;
    mesh.matrix.copy(matrix);
    this.object.add(mesh);
  }

  dispose(): void {
    this.clear();
    for (const mesh of this.spare) (mesh.material as ShaderMaterial).dispose();
  }
}

function create(): Mesh {
  const uniforms = {
    middle: { value: new Vector3() },
    half_size: { value: new Vector3() },
    width: { value: WIDTH },
    colour: { value: new Color() },
  };
  const material = new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms, side: BackSide });
  const mesh = new Mesh(undefined, material);
  mesh.matrixAutoUpdate = false;
  mesh.frustumCulled = false;
  return mesh;
}
