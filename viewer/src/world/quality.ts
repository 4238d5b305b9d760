// What the machine can afford: without a GPU, pictures that move are drawn with cheaper light, shadows and
// forms, and in full once they stand still.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** A picture that has not changed for this long stands still, ms. */
const STILL = 250;
/** Moving pictures that take longer than this do without shadows, ms; intervals are averaged over some 20 of them. */
const SLOW = 36;
const AVERAGE = 0.05;
/** Pixels a still picture may have; up to twice as many each way as shown, to smooth its edges. */
const PIXELS = 4e6;

export class Quality {
  /** Draw quickly now. */
  quick = false;
  private readonly software = isSoftware();
  /** @param full draw every picture in full, however long it takes: it is for a film */
  constructor(private readonly full: boolean) {}

  private changed = 0;
  private called = 0;
  private drew = false;
  private interval = 0;
  private slow = false;

  /** Multisampling costs a software renderer too much while things move. */
  get antialias(): boolean {
    return !this.software;
  }

  /** Drawn pixels for each of the page's, each way, on an area of so many of the latter. */
  pixelRatio(area: number): number {
    if (!this.software) return Math.min(2, window.devicePixelRatio);
    return this.quick ? 1 : Math.min(2, Math.max(1, Math.sqrt(PIXELS / area)));
  }

  /** Whether there is time for shadows now. */
  get shadows(): boolean {
    return !this.quick || !this.slow;
  }

  /** Whether to draw now, given whether anything changed; sets `quick`. To be called once per animation frame. */
  update(changed: boolean, now: number): boolean {
    this.watch(now);
    if (changed) this.changed = now;
    const refine = !changed && this.quick && now - this.changed >= STILL;
    if (changed || refine) this.quick = this.software && changed && !this.full;
    this.drew = changed || refine;
    return this.drew;
  }

  /** The animation frame after a drawn one comes late if drawing takes long, however rarely frames arrive. */
  private watch(now: number): void {
    const interval = Math.min(100, now - this.called);
    this.called = now;
    if (!this.drew || !this.quick) return;
    this.interval += AVERAGE * (interval - this.interval);
    this.slow ||= this.interval > SLOW;
  }
}

/** Ask a context of its own: the real one can no longer be changed once made. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}
