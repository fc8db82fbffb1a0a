import { URL } from "node:url";
import { RalphError } from "../../core/errors.ts";
import { codeOf } from "../../core/system-error.ts";

export type FetchedFile = { bytes: Uint8Array; url: string };

export type FetchLimits = {
  /** ms in total, including redirects and the body. */
  timeoutMs: number;
  /** Bytes; a longer answer is an error. */
  maxBytes: number;
  signal?: AbortSignal;
};

const MAX_REDIRECTS = 5;

/**
 * Parses an address and allows only https, or http on this machine: others on the network could change plain http.
 * @throws RalphError `usage` for any other address
 */
export function safeUrl(text: string, base?: string): URL {
  const url = URL.parse(text, base);
  if (url === null) throw refused(`${JSON.stringify(text)} is not an address.`);
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return url;
  throw refused(`${url.href} is refused: only https is safe (http only on this machine).`);
}

/**
 * Downloads a file completely. Each redirect must be as safe as the first address.
 * @throws RalphError `environment` if the download fails; `usage` for an unsafe address
 */
export async function getFile(address: string, limits: FetchLimits): Promise<FetchedFile> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal]);
  let url = safeUrl(address);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, { redirect: "manual", signal, headers: { "user-agent": "ralph" } });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null)
        return { bytes: await readBody(response, url, limits.maxBytes), url: url.href };
      await response.body?.cancel();
      url = safeUrl(location, url.href);
    }
  } catch (error) {
    if (error instanceof RalphError) throw error;
    const why = timeout.aborted ? `no answer within ${limits.timeoutMs / 1000} s` : wording(error);
    throw failed(url, why, error);
  }
  throw failed(url, `more than ${MAX_REDIRECTS} redirects`);
}

async function readBody(response: Response, url: URL, maxBytes: number): Promise<Uint8Array> {
  if (!response.ok) throw failed(url, `the server answered ${response.status}`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) throw failed(url, `it is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** What runtimes say of a server that cannot be reached, or is gone, each in its own words; some with advice for programmers. */
const UNREACHED: readonly (readonly [said: RegExp, why: string])[] = [
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo|dns error/i, "its host is not found"],
  [/ECONNREFUSED|ConnectionRefused|Unable to connect|connection refused/i, "no server answers there"],
  [
    /ECONNRESET|EPIPE|socket connection was closed|terminated|connection (?:reset|closed)|error reading a body/i,
    "the connection broke off",
  ],
];

function wording(error: unknown): string {
  const { message, cause } = error as Error;
  const said = cause instanceof Error ? `${message}: ${cause.message}` : message;
  const known = UNREACHED.find(([words]) => words.test(`${said} ${codeOf(error)}`));
  return known?.[1] ?? said.replace(/[.!?]+$/, "");
}

function failed(url: URL, why: string, cause?: unknown): RalphError {
  return new RalphError("environment", `${url.href} could not be downloaded: ${why}.`, {
    hint: "Check the network, and try again later.",
    cause,
  });
}

function refused(message: string): RalphError {
  return new RalphError("usage", message, { hint: "Set RALPH_UPDATE_URL to an https address, or leave it out." });
}
