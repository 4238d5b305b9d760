// The renderer and its scene.
import {
  Box3,
  ColorManagement,
  LinearSRGBColorSpace,
  PCFShadowMap,
  Scene,
  WebGLRenderer,
  type Camera,
} from "three";
import { Lights } from "./lights";

// Converting each pixel from linear light to sRGB takes a software renderer longer than all other shading, so
// colours are added and multiplied as they are.
ColorManagement.enabled = false;

export class Stage {
  readonly scene = new Scene();
  readonly lights = new Lights();
  private readonly renderer: WebGLRenderer;

  /** Throws if the browser has no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, antialias: boolean) {
    try {
      this.renderer = new WebGLRenderer({ canvas, alpha: true, stencil: true, antialias });
    } catch (cause) {
      throw new Error("This browser offers no WebGL 2, which the 3-D view needs; try another browser or its settings.", { cause });
    }
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.setClearColor(0, 0);
    this.renderer.shadowMap.type = PCFShadowMap;
    // Shadows are drawn anew only when bodies have moved, not when the camera has.
    this.renderer.shadowMap.autoUpdate = false;
    this.scene.add(this.lights.object);
  }

  /** Draw shadows of a box (m) of what moves, or none. */
  shadow(box: Box3 | null): void {
    this.lights.castShadow = this.renderer.shadowMap.enabled = box !== null;
    this.renderer.shadowMap.needsUpdate = box !== null;
    if (box) this.lights.cover(box);
  }

  /** Take the canvas' size on the page; its width over its height. */
  resize(): number {
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    this.renderer.setSize(width, height, false);
    return width / height;
  }

  /** Drawn pixels for each of the page's. */
  set pixelRatio(ratio: number) {
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  render(camera: Camera): void {
    this.renderer.render(this.scene, camera);
  }

  dispose(): void {
    this.lights.dispose();
    this.renderer.dispose();
  }
}
