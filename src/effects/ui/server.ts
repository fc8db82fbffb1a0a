/** A server of `ralph ui` at one door: the page's files, and below /api what an admitted browser may ask. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { parse as parseQuery } from "node:querystring";
import { SECOND_MS } from "../../core/durations.ts";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { type Access, strangerIn } from "./access.ts";
import type { Door } from "./door.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { isSame } from "./secrets.ts";

const MAX_BODY = 64 * 1024;
const MAX_CONNECTIONS = 64;
/** A connection that says nothing, a head or a whole request that does not end, keeps its place for this long. */
const HANDSHAKE_MS = 5 * SECOND_MS;
const HEAD_MS = 5 * SECOND_MS;
const REQUEST_MS = 10 * SECOND_MS;
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
const TYPES = { html: "text/html; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/** A file of the page. */
export type PageFile = { type: string; text: string };
/** An answer: HTML for the page, at once or piece by piece, or JSON. */
export type UiAnswer =
  | { pieces: Iterable<string> | AsyncIterable<Buffer>; type?: "html" | "json"; headers?: Record<string, string> }
  | { status?: number; html: string; headers?: Record<string, string> }
  | { status?: number; json: unknown };

/** What the page may ask, below /api. */
export type UiRoutes = {
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

/** The same for some of the paths; null for any other. */
export type PartOfRoutes = Pick<UiRoutes, "read" | "change">;

/** What other ralphs of the user may ask, which read the file of the running server. */
export type Errands = {
  /** Who knows the first may ask the server who it is, who knows the second may send it on errands. */
  id: string;
  key: string;
  /** @param path of a POST @param answered calls what ends the server, once the answer is sent @returns null if there is no such errand */
  run(path: string, body: unknown, answered: (then: () => void) => void): unknown;
};

export type UiServerOptions<A extends Access> = {
  door: Door;
  /** By path. */
  files: Readonly<Record<string, PageFile>>;
  /** @param port that it listens on */
  access(port: number): A;
  /** @param control whether this visitor may change something */
  routes(control: boolean): UiRoutes;
  errands: Errands | null;
};

export type UiServer<A extends Access> = { port: number; access: A; close(): void };

/** @throws RalphError `environment` if the port is taken or not allowed, or the address is none of this machine */
export async function serveUi<A extends Access>(options: UiServerOptions<A>): Promise<UiServer<A>> {
  const { door } = options;
  const limits = { headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 };
  const server =
    door.tls === null ? createServer(limits) : createSecureServer({ ...limits, ...door.tls, minVersion: "TLSv1.2" });
  server.maxConnections = MAX_CONNECTIONS;
  if (door.tls !== null) endSilentOnes(server);
  await listen(server, door);
  const { port } = server.address() as AddressInfo;
  const access = options.access(port);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, { ...options, port, access }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof RalphError) sendJson(response, 409, { error: error.message, hint: error.hint ?? null });
      else sendJson(response, 500, { error: `ralph could not answer: ${reasonOf(error)}`, hint: null });
    });
  });
  return {
    port,
    access,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, { bind, port, hint }: Door): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new RalphError("environment", `The page cannot be served on ${bind}, port ${port}: ${reasonOf(cause)}`, {
          hint,
          cause,
        }),
      ),
    );
    server.listen({ host: bind, port }, resolve);
  });
}

/** The time for the head of a request begins after the handshake of TLS; who never begins that is let go, too. */
function endSilentOnes(server: Server): void {
  const named = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress}:${remotePort}`;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const done = (name: string) => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };
  server.on("connection", (socket: Socket) => {
    const name = named(socket);
    timers.set(
      name,
      setTimeout(() => socket.destroy(), HANDSHAKE_MS),
    );
    socket.on("close", () => done(name));
  });
  server.on("secureConnection", (socket: Socket) => done(named(socket)));
}

type Served = Omit<UiServerOptions<Access>, "access"> & { port: number; access: Access };

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { access, door, errands, files, port } = served;
  const isChange = request.method === "POST";
  const errandKey = errands === null ? undefined : request.headers["x-ralph-stop"];
  const stranger = strangerIn(
    request.headers,
    (host) => door.originAt(host, port),
    isChange && errandKey === undefined,
  );
  if (stranger !== null) return sendJson(response, 403, { error: stranger, hint: null });
  if (!isChange && request.method !== "GET")
    return sendJson(response, 405, { error: "Only GET and POST.", hint: null });
  // Not parsed as an address: one such as // has no path, or another host.
  const [pathname = "", search = ""] = (request.url ?? "").split(/\?(.*)/s);
  if (errands !== null && isChange && errandKey !== undefined)
    return errand(request, response, { errands, errandKey, pathname });
  const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (!isChange && file !== undefined) return send(response, 200, file.type, file.text);
  if (!isChange && pathname === "/who" && errands !== null) return sendJson(response, 200, { ralph_ui: errands.id });
  if (isChange && pathname === "/enter") return enter(request, response, access);
  if (!pathname.startsWith("/api/")) return sendJson(response, 404, { error: "There is nothing here.", hint: null });
  const lockOut = () => sendJson(response, 401, { error: "This browser was not let in.", hint: access.hint });
  const visitor = access.visitor(request.headers);
  if (visitor === null) return lockOut();
  const query = new Map(Object.entries(parseQuery(search)).map(([name, value]) => [name, String(value)]));
  const routes = served.routes(visitor.control);
  // What changes something tells how that went, even to a device that revokes itself.
  if (!isChange)
    response.on(
      "close",
      visitor.onGone(() => response.destroy()),
    );
  if (pathname.startsWith("/api/follow/")) return follow(request, response, { routes, pathname, query });
  const body = isChange ? await jsonBody(request) : null;
  // It may have been revoked while it sent that.
  if (isChange && access.visitor(request.headers) === null) return lockOut();
  const found = isChange
    ? await routes.change(pathname, body)
    : await routes.read(pathname, query, () => response.destroyed);
  if (found === null) return sendJson(response, 404, { error: "There is nothing here.", hint: null });
  if ("pieces" in found)
    await sendPieces(response, { "content-type": TYPES[found.type ?? "html"], ...found.headers }, found.pieces);
  else if ("html" in found) send(response, found.status ?? 200, TYPES.html, found.html, found.headers);
  else sendJson(response, found.status ?? 200, found.json);
}

async function enter(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> {
  const body = await jsonBody(request);
  const token = typeof body === "object" && body !== null && "token" in body ? body.token : null;
  const entered = access.enter(typeof token === "string" ? token : "", request.headers);
  if ("refused" in entered) {
    const { refused, hint, retryAfterMs } = entered;
    const seconds = retryAfterMs === undefined ? null : Math.ceil(retryAfterMs / SECOND_MS);
    const told = { error: refused, hint, wait_s: seconds };
    return sendJson(
      response,
      seconds === null ? 403 : 429,
      told,
      seconds === null ? {} : { "retry-after": `${seconds}` },
    );
  }
  const { admission, cookie } = entered;
  const line = `${cookie.name}=${admission.cookie}; ${cookie.attributes}`;
  sendJson(response, 200, { key: admission.key }, { "set-cookie": line });
}

type Errand = { errands: Errands; errandKey: string | string[]; pathname: string };

async function errand(request: IncomingMessage, response: ServerResponse, asked: Errand): Promise<void> {
  const { errands, errandKey, pathname } = asked;
  if (!isSame(typeof errandKey === "string" ? errandKey : "", errands.key))
    return sendJson(response, 403, { error: "Not yours.", hint: null });
  const told = errands.run(pathname, await jsonBody(request), (then) => response.on("finish", then));
  if (told === null) sendJson(response, 404, { error: "There is nothing here.", hint: null });
  else sendJson(response, 200, told);
}

type Followed = { routes: UiRoutes; pathname: string; query: ReadonlyMap<string, string> };

function follow(request: IncomingMessage, response: ServerResponse, { routes, pathname, query }: Followed): void {
  const after = Number(request.headers["last-event-id"] ?? 0);
  const stream = createEventStream(response, HEADERS);
  const end = routes.follow(pathname, query, Number.isSafeInteger(after) && after > 0 ? after : 0, stream);
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
  send(response, status, TYPES.json, JSON.stringify(value), more);
}

/** As fast as the reader takes them. */
async function sendPieces(
  response: ServerResponse,
  more: Record<string, string>,
  pieces: Iterable<string> | AsyncIterable<Buffer>,
): Promise<void> {
  response.writeHead(200, { ...HEADERS, ...more });
  for await (const piece of pieces) {
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
