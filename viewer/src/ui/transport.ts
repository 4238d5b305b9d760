// What play, pause, step and speed mean: playback of frames, or commands to a live simulation.

import type { Status } from "../types";
import type { Player } from "../source/player";
import type { Source } from "../source/source";

/** Speed of a live simulation that runs as fast as it can; see docs/protocol.md. */
export const MAX_SPEED = 0;

export class Transport {
  /** Live: what the server said last. */
  status: Status | null = null;

  constructor(
    readonly source: Source,
    readonly player: Player,
  ) {}

  get live(): boolean {
    return this.source.hello.mode === "live";
  }

  /** Commands to the simulation are accepted. */
  get control(): boolean {
    return this.live && this.source.hello.control;
  }

  /** The simulation itself is halted. */
  get halted(): boolean {
    return this.status?.paused ?? this.player.shown?.paused ?? false;
  }

  /** Something moves: the playback or the followed simulation. */
  get running(): boolean {
    return this.player.playing || (this.player.following && !this.halted);
  }

  get speed(): number {
    return this.player.following && this.status ? this.status.speed : this.player.speed;
  }

  play(): void {
    const { player } = this;
    // There is nothing after the newest frame but what will come.
    if (this.live && player.index >= this.source.last) player.follow();
    if (!player.following) player.play();
    else if (this.control) this.source.send({ type: "pause", value: false });
  }

  /** Halts a followed simulation if we may, otherwise only the picture. */
  pause(): void {
    if (this.player.following && this.control) this.source.send({ type: "pause", value: true });
    else this.player.pause();
  }

  toggle(): void {
    if (this.running) this.pause();
    else this.play();
  }

  step(frames: number): void {
    if (this.player.following && this.control && frames > 0) this.source.send({ type: "step", count: frames });
    else this.player.step(frames);
  }

  toStart(): void {
    this.player.seek(this.source.first);
  }

  /** The newest frame; live: and those that will come. */
  toEnd(): void {
    if (this.live) this.player.follow();
    else this.player.seek(this.source.last);
  }

  setSpeed(speed: number): void {
    // Playback needs a finite speed; "as fast as possible" is the simulation's.
    if (speed !== MAX_SPEED) this.player.speed = speed;
    if (this.control && this.player.following) this.source.send({ type: "speed", value: speed });
  }
}
