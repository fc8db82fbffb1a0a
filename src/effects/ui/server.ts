/** The server of `ralph ui`: loopback only, one page of three files, and below /api what an admitted browser may ask. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parse as parseQuery } from "node:querystring";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { type Access, createAccess, isSame, strangerIn } from "./access.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";

const LOOPBACK = "127.0.0.1";
const MAX_BODY = 64 * 1024;
const MAX_CONNECTIONS = 64;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** A file of the page. */
export type PageFile = { type: string; text: string };
/** An answer: HTML for the page, at once or piece by piece, or JSON. */
export type UiAnswer =
  | { pieces: Iterable<string> }
  | { status?: number; html: string; headers?: Record<string, string> }
  | { status?: number; json: unknown };

export type UiServerOptions = {
  /** 0: any that is free. */
  port: number;
  /** By path. */
  files: Readonly<Record<string, PageFile>>;
  /** Named by the file of the running server: who knows the first may ask it who it is, who knows the second may end it. */
  id: string;
  stopKey: string;
  /** Called when an address was used, and so is worth nothing any more. */
  onAdmitted(): void;
  onStop(): void;
  /**
   * Answers a GET below /api.
   * @param isGone whether nobody waits for the answer any more
   * @throws RalphError for what the page shows as an error
   */
  read(path: string, query: ReadonlyMap<string, string>, isGone: () => boolean): Promise<UiAnswer | null>;
  /** Answers a POST below /api with its JSON. @throws RalphError for what the page shows as an error */
  change(path: string, body: unknown): Promise<UiAnswer | null>;
  /** Fills a stream below /api/follow. @param after the last event that the page has; 0 for none @returns ends it; null if there is none */
  follow(path: string, query: ReadonlyMap<string, string>, after: number, stream: EventStream): (() => void) | null;
};

export type UiServer = { port: number; address(): string; close(): void };

/** @throws RalphError `environment` if the port is taken or not allowed */
export async function serveUi(options: UiServerOptions): Promise<UiServer> {
  const server = createServer();
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  const access = createAccess(port);
  server.on("request", (request, response) => {
    answer(request, response, { ...options, port, access }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof RalphError) sendJson(response, 409, { error: error.message, hint: error.hint ?? null });
      else sendJson(response, 500, { error: `ralph could not answer: ${reasonOf(error)}`, hint: null });
    });
  });
  return {
    port,
    address: () => `http://${LOOPBACK}:${port}/#${access.token()}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new RalphError("environment", `The page cannot be served on port ${port}: ${reasonOf(cause)}`, {
          hint: "Take another with --port, or none for one that is free.",
          cause,
        }),
      ),
    );
    server.listen({ host: LOOPBACK, port }, resolve);
  });
}

type Served = UiServerOptions & { port: number; access: Access };

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { access, files, port } = served;
  const isChange = request.method === "POST";
  const stranger = strangerIn(request.headers, port, isChange && request.url !== "/stop");
  if (stranger !== null) return sendJson(response, 403, { error: stranger, hint: null });
  if (!isChange && request.method !== "GET")
    return sendJson(response, 405, { error: "Only GET and POST.", hint: null });
  const { pathname, search } = new URL(request.url ?? "/", `http://${LOOPBACK}:${port}`);
  const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (!isChange && file !== undefined) return send(response, 200, file.type, file.text);
  if (!isChange && pathname === "/who") return sendJson(response, 200, { ralph_ui: served.id });
  if (isChange && pathname === "/stop") return stop(request, response, served);
  if (isChange && pathname === "/enter") return enter(request, response, served);
  if (!pathname.startsWith("/api/")) return sendJson(response, 404, { error: "There is nothing here.", hint: null });
  if (!access.isAdmitted(request.headers))
    return sendJson(response, 401, {
      error: "This browser was not let in.",
      hint: "Open the address that ralph ui prints.",
    });
  const query = new Map(Object.entries(parseQuery(search.slice(1))).map(([name, value]) => [name, String(value)]));
  if (pathname.startsWith("/api/follow/")) return follow(request, response, served, { pathname, query });
  const found = isChange
    ? await served.change(pathname, await jsonBody(request))
    : await served.read(pathname, query, () => response.destroyed);
  if (found === null) return sendJson(response, 404, { error: "There is nothing here.", hint: null });
  if ("pieces" in found) await sendPieces(response, found.pieces);
  else if ("html" in found) send(response, found.status ?? 200, "text/html; charset=utf-8", found.html, found.headers);
  else sendJson(response, found.status ?? 200, found.json);
}

async function enter(
  request: IncomingMessage,
  response: ServerResponse,
  { access, onAdmitted }: Served,
): Promise<void> {
  const body = await jsonBody(request);
  const token = typeof body === "object" && body !== null && "token" in body ? body.token : null;
  const admission = access.admit(typeof token === "string" ? token : "");
  if (admission === null)
    return sendJson(response, 403, {
      error: "This address was used before, or is of an earlier start.",
      hint: "Open the newest one that ralph ui printed: each lets one browser in.",
    });
  const cookie = `${access.cookieName}=${admission.cookie}; HttpOnly; SameSite=Strict; Path=/`;
  sendJson(response, 200, { key: admission.key }, { "set-cookie": cookie });
  onAdmitted();
}

async function stop(request: IncomingMessage, response: ServerResponse, { stopKey, onStop }: Served): Promise<void> {
  const key = request.headers["x-ralph-stop"];
  if (!isSame(typeof key === "string" ? key : "", stopKey))
    return sendJson(response, 403, { error: "Not yours.", hint: null });
  sendJson(response, 200, { stopping: true });
  response.on("finish", onStop);
}

function follow(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  { pathname, query }: { pathname: string; query: ReadonlyMap<string, string> },
): void {
  const after = Number(request.headers["last-event-id"] ?? 0);
  const stream = createEventStream(response, HEADERS);
  const end = served.follow(pathname, query, Number.isSafeInteger(after) && after > 0 ? after : 0, stream);
  if (end === null) {
    sendJson(response, 404, { error: "There is nothing here.", hint: null });
    return;
  }
  stream.begin();
  response.on("close", end);
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new RalphError("usage", "That is too long.");
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new RalphError("usage", "That is no JSON.");
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown, more: Record<string, string> = {}): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value), more);
}

/** As fast as the reader takes them. */
async function sendPieces(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  response.writeHead(200, { ...HEADERS, "content-type": "text/html; charset=utf-8" });
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off("drain", done).off("close", done);
        resolve();
      };
      response.on("drain", done).on("close", done);
    });
  }
  response.end();
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  more: Record<string, string> = {},
): void {
  response.writeHead(status, { ...HEADERS, "content-type": type, ...more });
  response.end(text);
}
