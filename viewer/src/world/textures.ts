// Textures of the model: drawn or decoded once, and laid on geometries.
import { CanvasTexture, Color, Float32BufferAttribute, LinearMipmapLinearFilter, Matrix4, RepeatWrapping, Texture, Vector3, type BufferGeometry } from "three";
import type { Mapping, Pattern, Rgb, ShapeTexture, TextureInfo } from "../types";

/** Pixels along a side of what is drawn here. */
const SIDE = 256;
/** Pixels across a line. */
const LINE = 2;
const GREY = 0.6;

export class Textures {
  private readonly made = new Map<number, Texture>();
  private waiting = 0;

  /** `changed` is called when an image has been decoded, `failed` when it cannot be. */
  constructor(
    private readonly list: TextureInfo[],
    private readonly changed: () => void,
    private readonly failed: (message: string) => void,
  ) {}

  /** Whether all images have been decoded. */
  get ready(): boolean {
    return this.waiting === 0;
  }

  /** The texture of this number. Its mean colour is in `userData.mean`. */
  get(number: number): Texture {
    const known = this.made.get(number);
    if (known) return known;
    const { name, pattern } = this.list[number];
    const texture = pattern.type === "image" ? this.decode(name, pattern.image) : new CanvasTexture(drawn(pattern));
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.anisotropy = 8;
    texture.userData.mean = pattern.type === "image" ? new Color(GREY, GREY, GREY) : mean(pattern);
    this.made.set(number, texture);
    return texture;
  }

  dispose(): void {
    for (const texture of this.made.values()) texture.dispose();
  }

  private decode(name: string, data: string): Texture {
    const texture = new Texture();
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    this.waiting++;
    createImageBitmap(new Blob([bytes]), { imageOrientation: "flipY" })
      .then((image) => {
        texture.image = image;
        // The bitmap is turned already.
        texture.flipY = false;
        texture.needsUpdate = true;
        (texture.userData.mean as Color).copy(meanOf(image));
      })
      .catch(() => this.failed(`The image of the texture "${name}" cannot be decoded.`))
      .finally(() => {
        this.waiting--;
        this.changed();
      });
    return texture;
  }
}

/** The geometry with texture coordinates. `local` leads from it to the frame of the shape, m. */
export function lay(geometry: BufferGeometry, { mapping }: ShapeTexture, local: Matrix4): BufferGeometry {
  const laid = geometry.index ? geometry.toNonIndexed() : geometry;
  const { position } = laid.attributes;
  const corners = Array.from({ length: position.count }, (_, i) => new Vector3().fromBufferAttribute(position, i).applyMatrix4(local));
  laid.setAttribute("uv", new Float32BufferAttribute(coordinates(mapping, corners), 2));
  return laid;
}

/** Two numbers for each corner, three corners for each triangle. */
function coordinates(mapping: Mapping, corners: Vector3[]): number[] {
  switch (mapping.type) {
    case "corners":
      return mapping.coordinates.flat(2);
    case "plane":
      return corners.flatMap(({ x, y }) => [mapping.repeat[0] * x + 0.5, mapping.repeat[1] * y + 0.5]);
    case "cube": {
      const [a, b, c] = mapping.half_extents;
      const scaled = corners.map(({ x, y, z }) => new Vector3(x / a, y / b, z / c));
      return scaled.flatMap((corner, i) => {
        // All corners of a triangle lie on the side that its middle lies on.
        const first = i - (i % 3);
        const middle = scaled[first].clone().add(scaled[first + 1]).add(scaled[first + 2]);
        return onSide(corner, middle);
      });
    }
  }
}

/** Where a point is on the image of the side of a cube that `middle` points to, upright where the side is. */
function onSide({ x, y, z }: Vector3, middle: Vector3): [number, number] {
  const [p, q, r] = [Math.abs(middle.x), Math.abs(middle.y), Math.abs(middle.z)];
  const at = (right: number, up: number, out: number): [number, number] => [0.5 + (0.5 * right) / out, 0.5 + (0.5 * up) / out];
  if (p >= q && p >= r) return at(Math.sign(middle.x) * y, z, Math.abs(x) || 1);
  if (q >= r) return at(-Math.sign(middle.y) * x, z, Math.abs(y) || 1);
  return at(x, Math.sign(middle.z) * y, Math.abs(z) || 1);
}

function drawn(pattern: Exclude<Pattern, { type: "image" }>): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d")!;
  const fill = (colour: Rgb, x: number, y: number, w: number, h: number) => {
    context.fillStyle = css(colour);
    context.fillRect(x, y, w, h);
  };
  const half = SIDE / 2;
  if (pattern.type === "flat") {
    fill(pattern.colour, 0, 0, SIDE, SIDE);
  } else if (pattern.type === "checker") {
    fill(pattern.colours[0], 0, 0, SIDE, SIDE);
    fill(pattern.colours[1], half, 0, half, half);
    fill(pattern.colours[1], 0, half, half, half);
  } else {
    const gradient = context.createRadialGradient(half, half, 0, half, half, half * Math.SQRT2);
    pattern.colours.forEach((colour, i) => gradient.addColorStop(i, css(colour)));
    context.fillStyle = gradient;
    context.fillRect(0, 0, SIDE, SIDE);
  }
  if (pattern.mark) {
    const { lines, colour } = pattern.mark;
    const at = lines === "edge" ? [0, SIDE - LINE] : [half - LINE / 2];
    for (const d of at) {
      fill(colour, d, 0, LINE, SIDE);
      fill(colour, 0, d, SIDE, LINE);
    }
  }
  return canvas;
}

function css(colour: Rgb): string {
  return `rgb(${colour.map((c) => Math.round(255 * c)).join()})`;
}

function mean(pattern: Exclude<Pattern, { type: "image" }>): Color {
  const colours = pattern.type === "flat" ? [pattern.colour] : pattern.colours;
  const sum = colours.reduce((total, c) => total.add(new Color(...c)), new Color(0, 0, 0));
  return sum.multiplyScalar(1 / colours.length);
}

function meanOf(image: ImageBitmap): Color {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return new Color(r / 255, g / 255, b / 255);
}
