// The page once a source is open: ties the 3-D view, the panels and the play head together.

import { PlotPanel } from "./plot/panel";
import { Player } from "./source/player";
import type { Source } from "./source/source";
import type { Display, Status, Theme } from "./types";
import { Bar, VIEWS } from "./ui/bar";
import { Caption } from "./ui/caption";
import { displayMenu, SWITCHES } from "./ui/display";
import { shortTitle } from "./ui/format";
import { Inspector } from "./ui/inspector";
import { Layout } from "./ui/layout";
import type { Notices } from "./ui/notices";
import { remember, type Settings } from "./ui/settings";
import { helpDialog, listenToKeys, type Shortcut } from "./ui/shortcuts";
import { Throttle } from "./ui/throttle";
import { Timeline } from "./ui/timeline";
import { Transport } from "./ui/transport";
import { Tree } from "./ui/tree";
import { World } from "./world/world";

/** Numbers change at most this often while playing: nobody reads faster, and layout takes time from the 3-D view. */
const PLAYING_MS = 100;
/** While scrubbing they keep up with the hand. */
const PAUSED_MS = 33;
const FPS_WINDOW_MS = 2000;

export class App {
  readonly player: Player;
  readonly transport: Transport;
  readonly world: World;
  /** Pictures drawn so far. */
  drawn = 0;

  private readonly layout: Layout;
  private readonly bar: Bar;
  private readonly caption: Caption;
  private readonly tree: Tree;
  private readonly inspector: Inspector;
  private readonly timeline: Timeline;
  private readonly plots: PlotPanel;
  private readonly help: HTMLDialogElement;
  /** When the pictures of the last two seconds were drawn, ms. */
  private readonly drawnAt: number[] = [];
  private numbersAt = -Infinity;

  constructor(
    readonly source: Source,
    private readonly settings: Settings,
    root: HTMLElement,
    notices: Notices,
  ) {
    const { hello } = source;
    document.title = `${shortTitle(hello.title)} – Linkwork`;
    this.player = new Player(source);
    this.transport = new Transport(source, this.player);

    this.layout = new Layout(root, notices.banners, notices.toasts);
    this.layout.bare = !settings.panels;
    this.tree = new Tree(hello.model);
    this.inspector = new Inspector(hello, source);
    this.plots = new PlotPanel(source);
    this.timeline = new Timeline(this.transport, [this.plots.add]);
    this.caption = new Caption(hello, this.layout.caption);
    this.bar = new Bar(hello, this.layout, {
      displayMenu: () => displayMenu(this.world, this.theme, (name) => this.setOption(name, !this.world.display[name])),
      view: (name) => this.world.view(name),
      cameras: (hello.model.cameras ?? []).map((camera) => camera.frame.name),
      lookThrough: (camera) => this.world.lookThrough(camera),
      orthographic: () => this.world.orthographic,
      toggleOrthographic: () => this.toggleOrthographic(),
      pull: this.transport.control ? { on: () => this.world?.pullsAlways ?? false, toggle: () => this.togglePull() } : null,
      fit: () => this.world.fit(),
      toggleTheme: () => this.toggleTheme(),
      help: () => this.help.showModal(),
    });
    this.layout.left.append(this.tree.element);
    this.layout.right.append(this.inspector.element);
    this.layout.bottom.append(this.timeline.element, this.plots.element);

    this.tree.setTheme(settings.theme);
    this.world = new World(this.layout.canvas, hello, settings.theme, settings.full, (message) => notices.toast(message));
    this.world.orthographic = settings.orthographic;
    Object.assign(this.world.display, settings.display);
    this.world.refresh();
    if (settings.view) this.world.view(settings.view);
    if (settings.camera !== null) this.lookThrough(settings.camera);
    if (settings.follow !== null) this.world.followed = named(settings.follow, "body", hello.model.bodies);

    const shortcuts = this.shortcuts();
    this.help = helpDialog(shortcuts, this.transport.control);
    root.append(this.help);
    listenToKeys(shortcuts);
    this.connect();
    if (hello.warning) notices.warning(hello.warning);
    if (!this.transport.live && source.last < source.first) notices.warning("This recording holds no frames.");
    this.start();
  }

  setOption(name: keyof Display, value: boolean): void {
    this.world.display[name] = value;
    this.world.refresh();
  }

  setTheme(theme: Theme): void {
    document.documentElement.dataset.theme = theme;
    this.world.setTheme(theme);
    this.tree.setTheme(theme);
    this.plots.redraw();
    this.timeline.scrubber.redraw();
  }

  select(body: number | null): void {
    if (body !== null && !this.source.hello.model.bodies[body]) return;
    this.world.select(body);
    this.tree.mark(body);
    this.inspector.select(body);
    this.numbersAt = -Infinity;
  }

  /** Look through the model's camera of this name. */
  lookThrough(name: string): void {
    const cameras = (this.source.hello.model.cameras ?? []).map((camera) => camera.frame);
    this.world.lookThrough(named(name, "camera", cameras));
  }

  setStatus(status: Status): void {
    this.transport.status = status;
    this.inspector.setStatus(status);
    this.bar.setStatus(status);
  }

  /** Pictures per second, mean over the last two seconds. */
  fps(): number {
    const oldest = performance.now() - FPS_WINDOW_MS;
    return this.drawnAt.filter((at) => at >= oldest).length / (FPS_WINDOW_MS / 1000);
  }

  private connect(): void {
    const { world, source, transport } = this;
    this.player.onFrame = (frame) => world.show(frame);
    this.tree.onSelect = (body) => this.select(body);
    this.inspector.onDeselect = () => this.select(null);
    this.plots.onScrub = (time) => this.player.seekTime(time);
    this.layout.onResize(() => world.resize());
    world.onSelect = (body) => this.select(body);
    const throttle = new Throttle();
    world.onGrab = (body, local, target) => throttle.call(() => source.send({ type: "grab", body, local, target }));
    world.onRelease = () => {
      throttle.cancel();
      if (transport.control) source.send({ type: "release" });
    };
  }

  private start(): void {
    const { settings, player } = this;
    if (!this.transport.live) {
      if (settings.at === null) player.seek(this.source.first);
      else player.seekTime(settings.at);
      if (settings.play) player.play();
    }
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Once per animation frame. */
  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    this.player.tick(now);
    this.world.draggable = this.transport.control && this.player.following;
    if (this.world.render() && this.player.shown) {
      this.drawn++;
      this.drawnAt.push(now);
      while (now - this.drawnAt[0] > FPS_WINDOW_MS) this.drawnAt.shift();
    }
    if (now - this.numbersAt < (this.transport.running ? PLAYING_MS : PAUSED_MS)) return;
    this.numbersAt = now;
    this.writeNumbers(now);
  }

  private writeNumbers(now: number): void {
    const frame = this.player.shown;
    if (this.layout.bare) {
      if (frame) this.caption.update(frame);
      return;
    }
    this.timeline.update();
    this.timeline.scrubber.tick(now);
    this.plots.tick(now);
    if (!frame) return;
    this.bar.update(frame);
    this.inspector.update(frame);
    this.plots.update(frame, this.player.time);
  }

  private get theme(): Theme {
    return document.documentElement.dataset.theme === "light" ? "light" : "dark";
  }

  private toggleTheme(): void {
    const theme = this.theme === "dark" ? "light" : "dark";
    remember("theme", theme);
    this.setTheme(theme);
  }

  private toggleOrthographic(): void {
    this.world.orthographic = !this.world.orthographic;
  }

  private togglePull(): void {
    this.world.pullsAlways = !this.world.pullsAlways;
  }

  /** Look so that everything is seen in all frames of a page that has them in itself. */
  frameAll(): void {
    const { source } = this;
    const frames = Array.from({ length: source.last - source.first + 1 }, (_, i) => source.frame(source.first + i));
    this.world.frameAll(frames.filter((frame) => frame !== null));
  }

  private shortcuts(): Shortcut[] {
    const { transport, world } = this;
    const step = (frames: number) => () => transport.step(frames);
    const toggle = (name: keyof Display) => () => this.setOption(name, !world.display[name]);
    const reset = () => (transport.live ? this.source.send({ type: "reset" }) : transport.toStart());
    return [
      { keys: [" "], shown: "space", does: "play or pause", run: () => transport.toggle() },
      { keys: ["ArrowLeft"], shift: false, shown: "←", does: "one frame back", run: step(-1) },
      { keys: ["ArrowRight"], shift: false, shown: "→", does: "one frame on", run: step(1) },
      { keys: ["ArrowLeft"], shift: true, shown: "shift ←", does: "ten frames back", run: step(-10) },
      { keys: ["ArrowRight"], shift: true, shown: "shift →", does: "ten frames on", run: step(10) },
      { keys: ["Home"], shown: "home", does: "to the start", run: () => transport.toStart() },
      { keys: ["End"], shown: "end", does: transport.live ? "follow live" : "to the end", run: () => transport.toEnd() },
      { keys: ["r"], shown: "r", does: transport.live ? "reset the simulation" : "back to the start", run: reset },
      { keys: ["f"], shown: "f", does: "fit everything into the view", run: () => world.fit() },
      ...VIEWS.map(([name, key]) => ({ keys: [key], shown: key, does: `view ${name}`, run: () => world.view(name) })),
      { keys: ["5"], shown: "5", does: "orthographic or perspective", run: () => this.toggleOrthographic() },
      { keys: ["v"], shown: "v", does: "keep the selected body in view", run: () => (world.follow = !world.follow) },
      ...SWITCHES.map(({ name, label, key }) => ({ keys: [key], shown: key, does: label.toLowerCase(), run: toggle(name) })),
      ...(transport.control ? [{ keys: ["u"], shown: "u", does: "pull bodies by dragging them", run: () => this.bar.togglePull() }] : []),
      { keys: ["l"], shown: "l", does: "repeat", run: () => this.timeline.toggleLoop() },
      { keys: ["p"], shown: "p", does: "panels", run: () => (this.layout.bare = !this.layout.bare) },
      { keys: ["d"], shown: "d", does: "dark or light", run: () => this.toggleTheme() },
      { keys: ["Escape"], shown: "esc", does: "deselect", run: () => this.select(null) },
      { keys: ["?"], shown: "?", does: "this list", run: () => this.help.showModal() },
    ];
  }
}

/** The number of what has this name. */
function named(name: string, kind: string, list: { name: string }[]): number {
  const found = list.findIndex((item) => item.name === name);
  if (found < 0) throw new Error(`There is no ${kind} "${name}".`);
  return found;
}
