// What the machine can afford.

/** Without a GPU, the processor draws each pixel: multisampling quadruples much of the work. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** More bodies than this are drawn without multisampling by a software renderer. */
const FEW = 40;

export class Quality {
  readonly software = isSoftware();
  readonly antialias: boolean;

  constructor(bodies: number) {
    this.antialias = !this.software || bodies <= FEW;
  }

  get pixelRatio(): number {
    return this.software ? 1 : Math.min(2, window.devicePixelRatio);
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
