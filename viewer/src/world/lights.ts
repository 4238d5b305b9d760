// Sun and sky, and the sun's shadows.
import { Box3, Color, DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import { diagonal } from "./extent";
import type { Palette } from "./palette";

export class Lights {
  readonly object = new Group();
  /** Where the sun stands, seen from the scene. */
  readonly direction = new Vector3(0.45, -0.55, 1).normalize();
  /** Light that a white surface sends back when it faces the sun, the sky, the ground. */
  readonly sunColour = new Color();
  readonly skyColour = new Color();
  readonly groundColour = new Color();
  private readonly sky = new HemisphereLight();
  private readonly sun = new DirectionalLight();
  /** What the shadow's camera covers. */
  private readonly lit = new Box3();

  constructor() {
    this.sky.position.set(0, 0, 1);
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2;
    this.object.add(this.sky, this.sun, this.sun.target);
  }

  setPalette(palette: Palette): void {
    this.sky.color.set("#ffffff");
    this.sky.groundColor.copy(new Color(palette.ground)).lerp(new Color("#808890"), 0.6);
    this.sky.intensity = palette.ambient;
    this.sun.intensity = palette.sun;
    // A matte surface sends back a fraction 1/π of what reaches it to each direction.
    this.sunColour.copy(this.sun.color).multiplyScalar(palette.sun / Math.PI);
    this.skyColour.copy(this.sky.color).multiplyScalar(palette.ambient / Math.PI);
    this.groundColour.copy(this.sky.groundColor).multiplyScalar(palette.ambient / Math.PI);
  }

  set castShadow(cast: boolean) {
    this.sun.castShadow = cast;
  }

  /** Let shadows cover a box (m) of what moves. */
  cover(box: Box3): void {
    if (this.lit.containsBox(box)) return;
    // Some spare room, so that a moving scene does not move the light at every frame: shadows would shimmer.
    this.lit.copy(box).expandByScalar(0.15 * diagonal(box));
    const radius = 0.5 * diagonal(this.lit);
    const centre = this.lit.getCenter(new Vector3());
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(this.direction, 4 * radius);
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius;
    camera.far = 8 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
  }

  dispose(): void {
    this.sun.dispose();
    this.sky.dispose();
  }
}
