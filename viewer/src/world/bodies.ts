// The bodies' shapes: one batch for each form, so that hundreds of bodies cost a handful of draw calls.
import {
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  type BufferGeometry,
  type Raycaster,
  type Texture,
  type Vector3,
} from "three";
import type { Model } from "../types";
import { Batch } from "./batch";
import type { Sizes } from "./extent";
import { piecesOf, type Piece } from "./forms";
import type { Layer, Picture } from "./layer";
import type { Lights } from "./lights";
import { colourOf, opaque, touches } from "./look";
import { Outline } from "./outline";
import { bodyColour } from "./palette";
import { poseMatrix } from "./poses";
import { QuickBodies } from "./quick";
import { rods } from "./rods";
import type { Textures } from "./textures";

/** More bodies than this have no edge lines and, drawn quickly, coarser forms. */
const FEW = 40;
/** Angle between faces that makes an edge, degrees. */
const EDGE_ANGLE = 30;

interface Part {
  body: number;
  batch: Batch;
  /** Its number in the batch. */
  copy: number;
  /** From the form to the body's centre of mass. */
  local: Matrix4;
  edges: LineSegments | null;
  look: Look;
  /** The image on it. */
  map: Texture | null;
}

/** How a piece is seen. */
interface Look {
  /** The file's colour. */
  colour: Color | null;
  /** Whether it is seen with and without `display.collision`. */
  seen: { on: boolean; off: boolean };
}

/** Nothing of a form remains. */
const NOWHERE = new Matrix4().makeScale(0, 0, 0);
const WHITE = new Color(1, 1, 1);

export class Bodies implements Layer {
  readonly object = new Group();
  private readonly parts: Part[] = [];
  private readonly batches = new Map<string, Batch>();
  private readonly edges = new Map<string, EdgesGeometry>();
  private readonly material = new MeshLambertMaterial();
  /** Materials with an image. */
  private readonly textured: MeshLambertMaterial[] = [];
  private readonly quick: QuickBodies;
  private readonly full = new Group();
  private readonly edgeMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  private readonly outline = new Outline();
  private readonly matrix = new Matrix4();

  /** Shadows fall on a level plane at `floor`, m. */
  constructor(model: Model, sizes: Sizes, lights: Lights, floor: number, textures: Textures) {
    const few = model.bodies.length <= FEW;
    const coarse = new Map<string, BufferGeometry>();
    const quick: BufferGeometry[] = [];
    model.bodies.forEach((_, body) => {
      const own = looksOf(model, body, textures);
      const plain: Look = { colour: null, seen: { on: true, off: true } };
      const all = own.length > 0 ? own : rods(model, body, sizes).map((piece) => ({ piece, look: plain }));
      for (const { piece, look } of all) {
        this.add(body, piece, few && own.length > 0, look);
        const simple = coarse.get(piece.form) ?? piece.build(few ? "fine" : "coarse");
        coarse.set(piece.form, simple);
        quick.push(simple);
      }
    });
    this.quick = new QuickBodies(quick, lights, floor);
    this.object.add(this.full, this.quick.object, this.outline.object);
  }

  draw({ poses, palette, selected, display, extent, shadows, quick: hurried }: Picture): void {
    const quick = hurried && !display.wireframe;
    const shades = palette.bodies.map((_, i) => bodyColour(palette, i));
    const chosen = selected === null ? null : bodyColour(palette, selected).lerp(new Color(palette.selection), 0.25);
    this.edgeMaterial.color.set(palette.edge);
    for (const material of [this.material, ...this.textured]) material.wireframe = display.wireframe;
    this.outline.clear();
    this.parts.forEach(({ body, batch, copy, local, edges, look, map }, i) => {
      const own = look.colour ?? (map ? WHITE : shades[body % shades.length]);
      const colour = body === selected && chosen ? chosen : own;
      const seen = display.collision ? look.seen.on : look.seen.off;
      this.matrix.multiplyMatrices(poses.bodies[body], local);
      if (!seen) this.matrix.copy(NOWHERE);
      batch.move(copy, this.matrix);
      batch.colour(copy, colour);
      if (quick) this.quick.move(i, this.matrix, map ? colour.clone().multiply(map.userData.mean as Color) : colour);
      if (edges) {
        edges.matrix.copy(this.matrix);
        edges.visible = seen && !display.wireframe;
      }
      if (seen && body === selected) this.outline.add(batch.mesh.geometry, this.matrix, palette.selection);
    });
    for (const batch of this.batches.values()) batch.commit();
    if (quick) this.quick.commit(shadows ? extent.shaded(poses) : null, palette);
    this.quick.object.visible = quick;
    this.full.visible = !quick;
  }

  /** The body the ray meets first, and where. */
  pick(ray: Raycaster): { body: number; point: Vector3 } | null {
    const meshes = [...this.batches.values()].map((batch) => batch.mesh);
    const hit = ray.intersectObjects(meshes, false)[0];
    const part = hit && this.parts.find((p) => p.batch.mesh === hit.object && p.copy === hit.instanceId);
    return part ? { body: part.body, point: hit.point } : null;
  }

  dispose(): void {
    for (const batch of this.batches.values()) batch.dispose();
    this.quick.dispose();
    for (const geometry of this.edges.values()) geometry.dispose();
    this.edgeMaterial.dispose();
    this.outline.dispose();
  }

  private add(body: number, piece: Piece, edged: boolean, look: Look): void {
    const batch = this.batchOf(piece);
    const copy = batch.add(piece.local, new Color());
    const edges = edged && piece.edged ? this.edgesOf(piece.form, batch.mesh.geometry) : null;
    this.parts.push({ body, batch, copy, local: piece.local, edges, look, map: piece.map ?? null });
  }

  private batchOf(piece: Piece): Batch {
    let batch = this.batches.get(piece.form);
    if (!batch) {
      const material = piece.map ? new MeshLambertMaterial({ map: piece.map }) : this.material;
      if (piece.map) this.textured.push(material);
      batch = new Batch(piece.build("fine"), material, { castShadow: true, receiveShadow: true });
      this.batches.set(piece.form, batch);
      this.full.add(batch.object);
    }
    return batch;
  }

  private edgesOf(form: string, geometry: BufferGeometry): LineSegments {
    const edges = this.edges.get(form) ?? new EdgesGeometry(geometry, EDGE_ANGLE);
    this.edges.set(form, edges);
    const lines = new LineSegments(edges, this.edgeMaterial);
    lines.matrixAutoUpdate = false;
    lines.frustumCulled = false;
    this.object.add(lines);
    return lines;
  }
}

/** Pieces of all shapes of a body, in the frame of its centre of mass. Where some are only to be seen, the others are what it
 * touches with. */
function looksOf(model: Model, body: number, textures: Textures): { piece: Piece; look: Look }[] {
  const own = model.shapes.filter((shape) => shape.body === body);
  const clothed = own.some((shape) => !touches(shape) && opaque(shape)) && own.some(touches);
  return own.flatMap((shape) => {
    const place = poseMatrix(shape.local);
    const look: Look = {
      colour: colourOf(shape),
      seen: clothed ? { on: touches(shape), off: !touches(shape) && opaque(shape) } : { on: true, off: true },
    };
    return piecesOf(shape, textures).map((piece) => ({ piece: { ...piece, local: piece.local.premultiply(place) }, look }));
  });
}
