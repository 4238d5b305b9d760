// The play head: which frame is shown, and how it moves with time.

import type { Frame } from "../types";
import type { Source } from "./source";

/** Playback never runs further than this (s of wall time) ahead of the frames that arrived. */
const MAX_LEAD = 0.25;
/** A page that was hidden does not jump ahead, s of wall time. */
const MAX_ELAPSED = 0.5;
/** Pictures per second at best. */
const DISPLAY_RATE = 60;
/** Frames fetched ahead of the play head. */
const AHEAD = 24;
/** Corrections of a seek by time while a recording's times are only estimated. */
const MAX_CORRECTIONS = 4;

/** Frames that one passes over by a step, not by a seek. */
const LONGEST_STEP = 10;

export class Player {
  /** The frame on the screen. */
  shown: Frame | null = null;
  /** Its number in the source. */
  index = -1;
  /** Live: show the newest frame. */
  following: boolean;
  /** The play head moves by itself through the available frames. */
  playing = false;
  /** Multiple of real time. */
  speed = 1;
  loop = false;
  onFrame: (frame: Frame) => void = () => {};

  /** The frame that should be on the screen, while it has not arrived. */
  private pending: number | null = null;
  private sought: { time: number; corrections: number } | null = null;
  /** The next frame does not follow the shown one: trails are not drawn across a seek. */
  private leaping = false;
  /** Time of the play head, s; ahead of the shown frame's by up to one frame. */
  private clock = 0;
  private before = 0;

  constructor(readonly source: Source) {
    this.following = source.hello.mode === "live";
  }

  /** Moves the play head; called once per animation frame with the wall time in ms. */
  tick(now: number): void {
    const elapsed = Math.min(MAX_ELAPSED, (now - this.before) / 1000);
    this.before = now;
    if (this.source.last < this.source.first) return;
    if (this.following) {
      this.show(this.source.last);
    } else if (this.pending !== null) {
      this.show(this.pending);
    } else if (this.playing) {
      this.advance(elapsed);
    } else if (this.index < this.source.first) {
      // Scrubbed back to a frame that the history has forgotten since.
      this.show(this.source.first);
    }
  }

  /** Time of the play head, s: that of the requested frame, even before it arrives. */
  get time(): number {
    if (this.pending !== null) return this.source.timeOf(this.pending);
    return this.shown?.time ?? this.source.hello.start;
  }

  /** The frame that was asked for is on the screen. */
  get settled(): boolean {
    return this.shown !== null && this.pending === null;
  }

  seek(index: number): void {
    this.sought = null;
    this.go(index);
  }

  /** To the frame nearest in time (s). */
  seekTime(time: number): void {
    const { source } = this;
    const before = source.indexAt(time);
    const nearer = before < source.last && source.timeOf(before + 1) - time < time - source.timeOf(before);
    this.sought = { time, corrections: 0 };
    this.go(nearer ? before + 1 : before);
  }

  play(): void {
    this.playing = true;
    if (this.index >= this.source.last && !this.following) this.seek(this.source.first);
  }

  pause(): void {
    this.playing = false;
    this.following = false;
  }

  /** Moves by whole frames and stays there. */
  step(frames: number): void {
    this.pause();
    this.seek((this.pending ?? this.index) + frames);
  }

  follow(): void {
    this.playing = false;
    this.pending = null;
    this.following = true;
  }

  private go(index: number): void {
    const { first, last } = this.source;
    if (last < first || !Number.isFinite(index)) return;
    this.following = false;
    this.pending = Math.max(first, Math.min(last, Math.round(index)));
    this.leaping = Math.abs(this.pending - this.index) > LONGEST_STEP;
    this.clock = this.source.timeOf(this.pending);
    this.show(this.pending);
    this.source.want(this.ahead(this.pending, 1));
  }

  private advance(elapsed: number): void {
    const { source } = this;
    const lead = this.clock - (this.shown?.time ?? this.clock);
    const oneFrame = source.timeOf(this.index + 1) - source.timeOf(this.index);
    if (lead < MAX_LEAD * this.speed + Math.max(0, oneFrame)) this.clock += elapsed * this.speed;
    if (this.clock >= source.timeOf(source.last)) return this.reachEnd();

    const stride = this.stride();
    const target = Math.floor(source.indexAt(this.clock) / stride) * stride;
    source.want(this.ahead(target, stride));
    // The latest that arrived: frames that come late are passed over.
    for (let i = target; i > this.index; i--) if (this.show(i)) return;
  }

  private reachEnd(): void {
    const { first, last } = this.source;
    if (this.loop && last > first) {
      this.seek(first);
      return;
    }
    this.playing = false;
    // Playback of what was seen live catches up with the simulation.
    if (this.source.hello.mode === "live") this.follow();
    else this.seek(last);
  }

  /** Records between two pictures: those in between would be passed over and need not be fetched. */
  private stride(): number {
    const interval = this.interval();
    return interval > 0 ? Math.max(1, Math.floor(this.speed / DISPLAY_RATE / interval)) : 1;
  }

  /** Mean time between two frames, s. */
  private interval(): number {
    const { first, last } = this.source;
    return (this.source.timeOf(last) - this.source.timeOf(first)) / Math.max(1, last - first);
  }

  private ahead(from: number, stride: number): number[] {
    return Array.from({ length: AHEAD }, (_, k) => from + k * stride);
  }

  private show(index: number): boolean {
    const frame = this.source.frame(index);
    if (!frame) {
      if (this.pending === index) this.source.want(this.ahead(index, 1));
      return false;
    }
    if (this.pending === index) this.pending = null;
    if (frame !== this.shown) {
      this.index = index;
      this.shown = frame;
      this.onFrame(this.leaping ? { ...frame, jumped: true } : frame);
      this.leaping = false;
    }
    if (!this.playing) this.clock = frame.time;
    this.correct(frame);
    return true;
  }

  /** A seek by time may have landed beside it, if the recording's times were estimated. */
  private correct(frame: Frame): void {
    const { sought, source } = this;
    this.sought = null;
    if (!sought || sought.corrections >= MAX_CORRECTIONS || source.exactTimes) return;
    const interval = this.interval();
    const miss = Math.round((sought.time - frame.time) / interval);
    if (interval > 0 && miss !== 0 && this.index + miss >= source.first && this.index + miss <= source.last) {
      this.sought = { time: sought.time, corrections: sought.corrections + 1 };
      this.go(this.index + miss);
    }
  }
}
