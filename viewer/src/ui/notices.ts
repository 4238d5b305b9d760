// Messages to the user: passing ones (toasts) and standing ones (banners).

import { h, iconButton, setText } from "./dom";

const TOAST_MS = 8000;

export class Notices {
  readonly toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  readonly banners = h("div", { class: "banners", role: "alert" });
  private readonly shown = new Map<string, { count: number; counter: HTMLElement; restart: () => void }>();
  private connection: HTMLElement | null = null;

  /** The same message again only counts up. */
  toast(message: string): void {
    const known = this.shown.get(message);
    if (known) {
      setText(known.counter, `× ${++known.count}`);
      known.restart();
      return;
    }
    let timer = 0;
    const counter = h("span", { class: "muted" });
    const close = () => {
      this.shown.delete(message);
      toast.remove();
    };
    const toast = h("div", { class: "toast" }, h("span", {}, message), counter, iconButton("close", "Dismiss", close));
    const restart = () => {
      clearTimeout(timer);
      timer = window.setTimeout(close, TOAST_MS);
    };
    this.shown.set(message, { count: 1, counter, restart });
    this.toasts.append(toast);
    restart();
  }

  /** Stays until it is dismissed. */
  warning(message: string): void {
    const banner = h("div", { class: "banner" }, h("span", {}, message));
    banner.append(iconButton("close", "Dismiss", () => banner.remove()));
    this.banners.append(banner);
  }

  /** What is wrong with the connection; null: nothing. */
  setConnection(message: string | null): void {
    this.connection?.remove();
    this.connection = message === null ? null : h("div", { class: "banner connection" }, h("span", {}, message));
    if (this.connection) this.banners.append(this.connection);
  }
}
