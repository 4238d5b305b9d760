// Which source this page has: data in the page, otherwise the server it came from.

import type { Hello, Series, Status } from "../types";
import { Connection, socketUrl } from "./connection";
import { EmbeddedSource } from "./embedded";
import { LiveSource } from "./live";
import { ReplaySource } from "./replay";
import type { Source, SourceEvents } from "./source";

type Message = Hello | Status | ({ type: "series" } & Series) | { type: "error"; message: string };

/** Calls `opened` once, when the hello is there. */
export function openSource(events: SourceEvents, opened: (source: Source) => void): void {
  const data = document.getElementById("linkwork-data");
  if (data) {
    const { hello, frames } = JSON.parse(data.textContent ?? "") as { hello: Hello; frames: string };
    // The text is large and not needed again.
    data.remove();
    opened(new EmbeddedSource(hello, frames, events));
  } else if (location.protocol === "file:") {
    events.onConnection("This file holds no recording: make one with linkwork export RECORDING --html FILE.");
  } else {
    openSocket(events, opened);
  }
}

function openSocket(events: SourceEvents, opened: (source: Source) => void): void {
  let source: LiveSource | ReplaySource | null = null;

  const greet = (hello: Hello) => {
    if (!source) {
      source = hello.mode === "live" ? new LiveSource(hello, connection, events) : new ReplaySource(hello, connection, events);
      opened(source);
    } else if (sameModel(source.hello, hello)) {
      if (source instanceof ReplaySource) source.reconnected();
    } else {
      // Another simulation answers at this address.
      location.reload();
    }
  };

  const connection: Connection = new Connection(socketUrl(location), {
    onOpen: () => events.onConnection(null),
    onClose: (ended) => {
      if (ended) events.onConnection(source?.hello.mode === "live" ? "The simulation ended." : "The server ended.");
      else events.onConnection(source ? "Connection lost, retrying …" : "No answer from the server, retrying …");
    },
    onText: (text) => {
      const message = text as Message;
      if (message.type === "hello") greet(message);
      else if (message.type === "status") events.onStatus(message);
      else if (message.type === "error") events.onError(message.message);
      else if (message.type === "series" && source instanceof ReplaySource) source.receiveSeries(message);
    },
    onBinary: (buffer) => {
      try {
        source?.receive(buffer);
      } catch (error) {
        events.onError(`A frame could not be read: ${error instanceof Error ? error.message : error}`);
      }
    },
  });
}

function sameModel(a: Hello, b: Hello): boolean {
  return a.mode === b.mode && a.records === b.records && JSON.stringify(a.model) === JSON.stringify(b.model);
}
