// Renderer, lights and shadows.
import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
  type Camera,
} from "three";
import { diagonal } from "./extent";
import type { Palette } from "./palette";
import { Quality } from "./quality";

/** Where the sun stands, seen from the scene. */
const SUN = new Vector3(0.45, -0.55, 1).normalize();

export class Stage {
  readonly scene = new Scene();
  readonly quality: Quality;
  private readonly renderer: WebGLRenderer;
  private readonly sky = new HemisphereLight();
  private readonly sun = new DirectionalLight();
  /** What the shadow's camera covers. */
  private readonly lit = new Box3();

  /** Throws if the browser has no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, bodies: number) {
    this.quality = new Quality(bodies);
    try {
      this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: this.quality.antialias });
    } catch (cause) {
      throw new Error("This browser offers no WebGL 2, which the 3-D view needs; try another browser or its settings.", { cause });
    }
    this.renderer.setClearColor(0, 0);
    this.renderer.shadowMap.type = PCFShadowMap;
    // Shadows are drawn anew only when bodies have moved, not when the camera has.
    this.renderer.shadowMap.autoUpdate = false;
    this.sky.position.set(0, 0, 1);
    this.sun.shadow.mapSize.set(1024, 1024);
    this.scene.add(this.sky, this.sun, this.sun.target);
    this.resize();
  }

  setPalette(palette: Palette): void {
    // The page's own gradient behind a transparent canvas costs no drawing.
    this.canvas.style.background = `linear-gradient(${palette.sky}, ${palette.horizon})`;
    this.sky.color.set("#ffffff");
    this.sky.groundColor.copy(new Color(palette.ground)).lerp(new Color("#808890"), 0.6);
    this.sky.intensity = palette.ambient;
    this.sun.intensity = palette.sun;
  }

  /** Let shadows cover a box (m) of what moves. */
  cover(box: Box3, shadows: boolean): void {
    this.sun.castShadow = this.renderer.shadowMap.enabled = shadows;
    this.renderer.shadowMap.needsUpdate = shadows;
    if (!shadows || this.lit.containsBox(box)) return;
    // Some spare room, so that a moving scene does not move the light at every frame: shadows would shimmer.
    this.lit.copy(box).expandByScalar(0.15 * diagonal(box));
    const radius = 0.5 * diagonal(this.lit);
    const centre = this.lit.getCenter(new Vector3());
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN, 4 * radius);
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius;
    camera.far = 8 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    this.sun.shadow.radius = 2;
  }

  /** Take the canvas' size on the page; its width over its height. */
  resize(): number {
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    this.renderer.setPixelRatio(this.quality.pixelRatio);
    this.renderer.setSize(width, height, false);
    return width / height;
  }

  render(camera: Camera): void {
    this.renderer.render(this.scene, camera);
  }

  dispose(): void {
    this.sun.dispose();
    this.renderer.dispose();
  }
}
