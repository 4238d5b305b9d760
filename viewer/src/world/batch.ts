// Many copies of one geometry in one draw call, refilled from frame to frame.
import {
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  Material,
  Matrix4,
  Object3D,
  Sphere,
  Vector3,
} from "three";

export interface BatchOptions {
  castShadow?: boolean;
  receiveShadow?: boolean;
  /** Show also through what hides the copies, with this opacity. */
  ghost?: number;
}

export class Batch {
  readonly object = new Object3D();
  readonly mesh: InstancedMesh;
  private readonly ghost: InstancedMesh | null = null;
  private capacity = 16;
  private count = 0;

  /** Takes over `geometry` and `material`; colours are per instance and multiply the material's. */
  constructor(geometry: BufferGeometry, material: Material, options: BatchOptions = {}) {
    this.mesh = instanced(geometry, material, this.capacity);
    this.mesh.castShadow = options.castShadow ?? false;
    this.mesh.receiveShadow = options.receiveShadow ?? false;
    this.object.add(this.mesh);
    if (options.ghost) {
      const through = material.clone();
      Object.assign(through, { transparent: true, opacity: options.ghost, depthTest: false, depthWrite: false });
      this.ghost = instanced(geometry, through, 1);
      this.ghost.renderOrder = 5;
      this.object.add(this.ghost);
    }
    this.share();
  }

  /** Start again with no copies. */
  clear(): void {
    this.count = 0;
  }

  /** Add a copy and return its number. */
  add(matrix: Matrix4, colour: Color): number {
    const i = this.reserve();
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * i);
    this.colour(i, colour);
    return i;
  }

  /** Add a copy at `at` with its z axis along `along` (unit), scaled by `radius` across and `length` along. */
  addAlong(at: Vector3, along: Vector3, radius: number, length: number, colour: Color): void {
    const i = this.reserve();
    writeAlong(this.mesh.instanceMatrix.array as Float32Array, 16 * i, at, along, radius, length);
    this.colour(i, colour);
  }

  move(i: number, matrix: Matrix4): void {
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * i);
  }

  colour(i: number, colour: Color): void {
    colour.toArray(this.mesh.instanceColor!.array, 3 * i);
  }

  /** To be called after changes: hands them to the renderer. */
  commit(): void {
    for (const mesh of this.meshes()) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
    }
    for (const [attribute, width] of [[this.mesh.instanceMatrix, 16], [this.mesh.instanceColor!, 3]] as const) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, width * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    for (const mesh of this.meshes()) {
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }

  private meshes(): InstancedMesh[] {
    return this.ghost ? [this.mesh, this.ghost] : [this.mesh];
  }

  private reserve(): number {
    if (this.count === this.capacity) this.grow();
    return this.count++;
  }

  private grow(): void {
    const { instanceMatrix, instanceColor } = this.mesh;
    this.capacity *= 2;
    // Frees the buffers of the present size; they are made anew when next drawn.
    this.mesh.dispose();
    this.ghost?.dispose();
    this.mesh.instanceMatrix = dynamic(16, this.capacity);
    this.mesh.instanceColor = dynamic(3, this.capacity);
    this.mesh.instanceMatrix.array.set(instanceMatrix.array);
    this.mesh.instanceColor.array.set(instanceColor!.array);
    this.share();
  }

  private share(): void {
    if (!this.ghost) return;
    this.ghost.instanceMatrix = this.mesh.instanceMatrix;
    this.ghost.instanceColor = this.mesh.instanceColor;
  }
}

function instanced(geometry: BufferGeometry, material: Material, capacity: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, 0);
  mesh.instanceMatrix = dynamic(16, capacity);
  mesh.instanceColor = dynamic(3, capacity);
  // Copies move: bounds would have to follow them, for culling and for picking.
  mesh.frustumCulled = false;
  mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
  return mesh;
}

function dynamic(width: number, count: number): InstancedBufferAttribute {
  const attribute = new InstancedBufferAttribute(new Float32Array(width * count), width);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

/** Write the matrix of a copy whose z axis goes along the unit vector n: Duff et al. 2017, Building an orthonormal basis, revisited. */
function writeAlong(out: Float32Array, o: number, at: Vector3, n: Vector3, radius: number, length: number): void {
  const sign = n.z >= 0 ? 1 : -1;
  const a = -1 / (sign + n.z);
  const b = n.x * n.y * a;
  out[o] = radius * (1 + sign * n.x * n.x * a);
  out[o + 1] = radius * sign * b;
  out[o + 2] = -radius * sign * n.x;
  out[o + 3] = 0;
  out[o + 4] = radius * b;
  out[o + 5] = radius * (sign + n.y * n.y * a);
  out[o + 6] = -radius * n.y;
  out[o + 7] = 0;
  out[o + 8] = length * n.x;
  out[o + 9] = length * n.y;
  out[o + 10] = length * n.z;
  out[o + 11] = 0;
  out[o + 12] = at.x;
  out[o + 13] = at.y;
  out[o + 14] = at.z;
  out[o + 15] = 1;
}
