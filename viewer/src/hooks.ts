// window.linkwork: what tests and `linkwork shot` use; see docs/protocol.md.

import type { App } from "./app";
import { quantities, scalarReader } from "./source/quantities";
import type { Display, Theme, View } from "./types";

/** Errors of the page, from its first moment on. */
export const errors: string[] = [];

export function installHooks(app: App): void {
  const { player, transport, world, source } = app;
  const read = scalarReader(source.hello);
  let ready = false;
  const hooks = {
    /** The first frame that was asked for has been drawn. */
    get ready() {
      ready ||= app.drawn > 0 && player.settled;
      return ready;
    },
    /** The picture is drawn in full, and not quickly because it moves. */
    settled: () => world.settled(),
    hello: source.hello,
    errors,
    options: world.display,
    frame: () => player.index,
    time: () => player.shown?.time ?? NaN,
    frames: () => app.drawn,
    fps: () => app.fps(),
    seek: (index: number) => player.seek(index),
    seekTime: (time: number) => player.seekTime(time),
    play: () => transport.play(),
    pause: () => transport.pause(),
    playing: () => transport.running,
    scalar: (name: string) => (player.shown ? read(player.shown, name) : NaN),
    coordinate: (name: string) => player.shown?.coordinates[source.hello.coordinates.findIndex((c) => c.name === name)] ?? NaN,
    signal: (name: string) => player.shown?.signals[source.hello.signals.findIndex((s) => `${s.kind} ${s.name}` === name)] ?? NaN,
    start: () => source.timeOf(source.first),
    pose: (body: number) => Array.from(player.shown?.poses.subarray(7 * body, 7 * body + 7) ?? []),
    screen: (body: number) => world.screen(body),
    select: (body: number | null) => app.select(body),
    setOption: (name: keyof Display, value: boolean) => app.setOption(name, value),
    setTheme: (theme: Theme) => app.setTheme(theme),
    view: (name: View) => world.view(name),
    lookThrough: (name: string) => app.lookThrough(name),
    orthographic: () => world.orthographic,
    frameAll: () => app.frameAll(),
    /** Names of everything that can be plotted. */
    quantities: () => quantities(source.hello).map((quantity) => quantity.name),
    pull: () => (player.shown?.pull ? Array.from(player.shown.pull) : null),
  };
  Object.assign(window, { linkwork: hooks });
}
