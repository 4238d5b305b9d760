// What the machine can afford: without a GPU, pictures that move are drawn with cheaper light, shadows and
// forms, and in full once they stand still.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** A picture that has not changed for this long stands still, ms. */
const STILL = 250;
/** Smooth edges of a still picture: pixels drawn for each one shown, each way. */
const SUPERSAMPLING = 2;

export class Quality {
  /** Draw quickly now. */
  quick = false;
  private readonly software = isSoftware();
  private changed = -Infinity;

  /** Multisampling costs a software renderer too much while things move. */
  get antialias(): boolean {
    return !this.software;
  }

  get pixelRatio(): number {
    if (!this.software) return Math.min(2, window.devicePixelRatio);
    return this.quick ? 1 : SUPERSAMPLING;
  }

  /** Whether to draw now, given whether anything changed; sets `quick`. The first picture is drawn in full. */
  update(changed: boolean, now: number): boolean {
    if (changed) {
      this.quick = this.software && this.changed > -Infinity;
      this.changed = now;
      return true;
    }
    const refine = this.quick && now - this.changed >= STILL;
    if (refine) this.quick = false;
    return refine;
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
