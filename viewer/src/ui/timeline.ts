// The bar below the 3-D view: buttons, scrubber, speed and where we are.

import type { Frame } from "../types";
import { scalarReader } from "../source/quantities";
import { h, iconButton, setIcon, setText } from "./dom";
import { fixed, timeDecimals } from "./format";
import { Scrubber } from "./scrubber";
import { MAX_SPEED, type Transport } from "./transport";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Timeline {
  readonly element: HTMLElement;
  readonly scrubber: Scrubber;
  private readonly play: HTMLButtonElement;
  private readonly followButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly time = h("span", { class: "number" });
  private readonly total = h("span", { class: "muted number" });
  private readonly counter = h("span", { class: "muted number counter" });
  private readonly decimals: number;
  private readonly read: (frame: Frame, name: string) => number;

  /** @param extra more controls at the end of the bar */
  constructor(
    private readonly transport: Transport,
    extra: HTMLElement[],
  ) {
    const { hello } = transport.source;
    this.decimals = timeDecimals(hello.settings.dt);
    this.read = scalarReader(hello);
    this.scrubber = new Scrubber(transport.source);
    this.scrubber.onScrub = (time) => transport.player.seekTime(time);
    this.play = iconButton("play", "Play or pause (space)", () => transport.toggle());
    this.followButton = h("button", { type: "button", class: "follow", title: "Show the newest frame (end)", click: () => transport.toEnd() }, "Follow live");
    this.loopButton = iconButton("loop", "Repeat (l)", () => this.toggleLoop());
    this.loopButton.setAttribute("aria-pressed", "false");
    this.speed = this.speedSelect();
    this.element = h(
      "div",
      { class: "timeline" },
      h(
        "div",
        { class: "buttons" },
        iconButton("start", "To the start (home)", () => transport.toStart()),
        iconButton("back", "One frame back (←)", () => transport.step(-1)),
        this.play,
        iconButton("forward", "One frame on (→)", () => transport.step(1)),
        iconButton("end", "To the end (end)", () => transport.toEnd()),
        !transport.live && this.loopButton,
      ),
      h("div", { class: "clock" }, this.time, this.total),
      this.scrubber.element,
      transport.live && this.followButton,
      this.counter,
      this.speed,
      ...extra,
    );
  }

  toggleLoop(): void {
    const { player } = this.transport;
    player.loop = !player.loop;
    this.loopButton.setAttribute("aria-pressed", String(player.loop));
  }

  update(): void {
    const { transport } = this;
    const { player, source } = transport;
    setIcon(this.play.querySelector("svg")!, transport.running ? "pause" : "play");
    this.followButton.setAttribute("aria-pressed", String(player.following));
    const speed = String(transport.speed);
    if (document.activeElement !== this.speed && this.speed.value !== speed) this.showSpeed(speed);
    if (!player.shown) return;
    this.scrubber.update(player.time);
    setText(this.time, fixed(player.time, this.decimals));
    setText(this.total, ` / ${fixed(source.timeOf(source.last), this.decimals)} s`);
    const step = this.read(player.shown, "step");
    const place = transport.live ? "" : `frame ${player.index} / ${source.last}`;
    setText(this.counter, [place, Number.isNaN(step) ? "" : `step ${step}`].filter(Boolean).join(" · "));
  }

  private speedSelect(): HTMLSelectElement {
    const { live } = this.transport;
    const change = () => {
      this.transport.setSpeed(Number(select.value));
      // Or the space key would open the list again.
      select.blur();
    };
    const select = h(
      "select",
      { title: "Speed, multiple of real time", "aria-label": "Speed", change },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
      live && h("option", { value: MAX_SPEED }, "max"),
    );
    return select;
  }

  /** The server may have been started with a speed that is not in the list. */
  private showSpeed(speed: string): void {
    if (![...this.speed.options].some((option) => option.value === speed)) {
      this.speed.append(h("option", { value: speed }, `${Number(Number(speed).toPrecision(3))}×`));
    }
    this.speed.value = speed;
  }
}
