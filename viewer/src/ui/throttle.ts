// Commands that come with every movement of the mouse, sent at most 60 times per second.

const INTERVAL_MS = 1000 / 60;

export class Throttle {
  private pending: (() => void) | null = null;
  private timer = 0;

  /** Runs `action` now or, within the interval, the latest of them at its end. */
  call(action: () => void): void {
    if (this.timer) {
      this.pending = action;
      return;
    }
    action();
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      const last = this.pending;
      this.pending = null;
      if (last) this.call(last);
    }, INTERVAL_MS);
  }

  /** Forgets what waits. */
  cancel(): void {
    this.pending = null;
  }
}
