// Compresses pictures in the page. FILL: { width, height, framerate }.
(async () => {
  const { width, height, framerate } = FILL;
  if (typeof VideoEncoder === "undefined") throw new Error("this Chromium has no video encoder; write a .png instead");
  // Profile 0 with 8 bits; the level allows any size.
  const settings = { codec: "vp09.00.61.08", width, height, framerate, latencyMode: "quality", bitrateMode: "quantizer" };
  const { supported } = await VideoEncoder.isConfigSupported(settings);
  if (!supported) throw new Error(`this Chromium cannot encode VP9 of ${width} x ${height} pixels; write a .png instead`);

  const QUANTIZER = 18;
  const LONGEST_QUEUE = 4;
  let done = [];
  let failure = null;
  const base64 = (bytes) => {
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  };
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      done.push({ key: chunk.type === "key", time: chunk.timestamp, data: base64(bytes) });
    },
    error: (error) => (failure = error),
  });
  encoder.configure(settings);
  const take = () => {
    if (failure) throw failure;
    const taken = JSON.stringify(done);
    done = [];
    return taken;
  };
  window.linkworkEncoder = {
    async add(png, timestamp, keyFrame) {
      const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const frame = new VideoFrame(image, { timestamp, duration: 1e6 / framerate });
      encoder.encode(frame, { keyFrame, vp9: { quantizer: QUANTIZER } });
      frame.close();
      image.close();
      while (encoder.encodeQueueSize > LONGEST_QUEUE && !failure) await new Promise((next) => setTimeout(next, 5));
      return take();
    },
    async finish() {
      await encoder.flush();
      encoder.close();
      return take();
    },
  };
})();
