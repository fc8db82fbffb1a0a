/** `ralph ui --listen`: certificates made for a test, and requests by HTTPS, or by bytes, as no browser would send them. */

import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { Project } from "./harness.ts";
import { type Secrets, startUi, type Ui } from "./ui.ts";
import { until } from "./until.ts";

export const openssl = Bun.which("openssl");

/** Makes a self-signed certificate and its key. @param names as in a certificate: `DNS:desk.example,IP:127.0.0.1` */
export function makeCertificate(folder: string, names: string, name = "desk"): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const alternative = names === "" ? [] : ["-addext", `subjectAltName=${names}`];
  const words = [...kind, "-keyout", key, "-out", cert, "-subj", `/CN=${name}`, ...alternative];
  const { exitCode, stderr } = Bun.spawnSync([openssl ?? "openssl", ...words]);
  if (exitCode !== 0) throw new Error(`openssl: ${stderr}`);
  return { cert, key };
}

/** A server that other machines could reach, if its address were not this machine's own. */
export type Far = {
  ui: Ui;
  /** Where it listens. */
  port: number;
  /** The newest code. */
  code(): string;
};

/** The words that open a door with a certificate for 127.0.0.1 and desk.example. */
export function tlsWords(at: Project, port: number): string[] {
  const { cert, key } = makeCertificate(at.path(".."), "DNS:desk.example,DNS:*.home.example,IP:127.0.0.1");
  return ["--listen", `127.0.0.1:${port}`, "--cert", cert, "--key", key];
}

/** Starts it on a port that is free now. @param words what belongs to --listen, by the port */
export async function startFar(at: Project, words: (port: number) => string[], ...more: string[]): Promise<Far> {
  const port = freePort();
  const ui = await startUi(at, ...words(port), ...more);
  const codes = () => [...ui.output().matchAll(/\/#([0-9A-Z]{8})$/gm)].map(([, code = ""]) => code);
  await until("a code", () => codes().length > 0);
  return { ui, port, code: () => codes().at(-1) ?? "" };
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** Asks as the page does, by HTTPS. */
export function ask(
  { port }: Far,
  path: string,
  { headers = {}, body, ...more }: { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const origin = `https://127.0.0.1:${port}`;
  const post = { method: "POST", body: JSON.stringify(body) };
  return fetch(`${origin}${path}`, {
    ...(body === undefined ? {} : post),
    ...more,
    headers: body === undefined ? headers : { origin, "content-type": "application/json", ...headers },
    tls: { rejectUnauthorized: false },
  });
}

export const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1";

/** Pairs a device. @throws Error if it is refused */
export async function pair(far: Far, code = far.code(), agent = IPHONE): Promise<Secrets> {
  const answer = await ask(far, "/enter", { body: { token: code }, headers: { "user-agent": agent } });
  if (answer.status !== 200) throw new Error(await answer.text());
  const { key } = (await answer.json()) as { key: string };
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "", "x-ralph-key": key };
}

/** Sends bytes. @param isTls false: without TLS, whatever listens there @returns the answer's first line, and in how many ms the server ended it */
export function sendBytes(
  port: number,
  text: string,
  isTls = true,
): Promise<{ first: string; all: string; ms: number }> {
  return new Promise((resolve) => {
    const began = performance.now();
    let all = "";
    const begin = () => void socket.write(text);
    const socket = isTls
      ? connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false }, begin)
      : connect(port, "127.0.0.1", begin);
    socket.on("data", (part) => {
      all += part;
    });
    socket.on("error", () => {}); // a connection that is cut ends, too
    socket.on("close", () => resolve({ first: all.split("\r\n")[0] ?? "", all, ms: performance.now() - began }));
  });
}
