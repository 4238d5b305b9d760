// Where the page starts.

import { App } from "./app";
import { errors, installHooks } from "./hooks";
import { openSource } from "./source/open";
import type { SourceEvents } from "./source/source";
import { h } from "./ui/dom";
import { Notices } from "./ui/notices";
import { readSettings } from "./ui/settings";

const notices = new Notices();
const root = document.getElementById("app")!;
const settings = readSettings(location.search);
let app: App | null = null;

function report(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  errors.push(error instanceof Error && error.stack ? error.stack : text);
  notices.toast(`Error in the page: ${text}`);
}

addEventListener("error", (event) => report(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => report(event.reason));
// Before the source is open there is nothing but these to show; tests ask for the errors even then.
Object.assign(window, { linkwork: { ready: false, errors } });
document.documentElement.dataset.theme = settings.theme;
root.append(notices.banners, notices.toasts, h("p", { class: "waiting" }, "Linkwork"));

const events: SourceEvents = {
  onError: (message) => notices.toast(message),
  onStatus: (status) => app?.setStatus(status),
  onConnection: (message) => notices.setConnection(message),
};

openSource(events, (source) => {
  try {
    app = new App(source, settings, root, notices);
    installHooks(app);
  } catch (error) {
    report(error);
    notices.warning(`This browser cannot show the scene: ${error instanceof Error ? error.message : error}`);
  }
});
