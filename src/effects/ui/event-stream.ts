import type { ServerResponse } from "node:http";

/** A reader that is this far behind is let go; it comes back and goes on where it was. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** Keeps the connection from looking dead. */
const BEAT_MS = 15_000;

/** Server-sent events to one page. */
export type EventStream = {
  begin(): void;
  /** @param id number of the last event that it knows; the page names it when it comes back */
  send(kind: string, value: unknown, id?: number): void;
  /** Waits until the reader has caught up, or is gone. */
  drained(): Promise<void>;
};

/** @param headers of the answer, beside its type */
export function createEventStream(response: ServerResponse, headers: Readonly<Record<string, string>>): EventStream {
  const waiting: string[] = [];
  let isOpen = false;
  const write = (text: string) => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
  };
  return {
    begin() {
      isOpen = true;
      response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
      response.flushHeaders();
      for (const text of waiting.splice(0)) write(text);
      const beat = setInterval(() => write(":\n\n"), BEAT_MS);
      beat.unref();
      response.on("close", () => clearInterval(beat));
    },
    drained: () =>
      new Promise((resolve) => {
        if (response.destroyed || !response.writableNeedDrain) return resolve();
        const done = () => {
          response.off("drain", done);
          response.off("close", done);
          resolve();
        };
        response.on("drain", done);
        response.on("close", done);
      }),
    send(kind, value, id) {
      const text = `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(value)}\n\n`;
      if (isOpen) write(text);
      else waiting.push(text);
    },
  };
}
