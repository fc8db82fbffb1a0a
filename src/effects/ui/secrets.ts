/** Secrets of the page's browsers, and where a request has them. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const KEY_HEADER = "x-ralph-key";

/** What a browser gets: a cookie that scripts do not see, and a key that other ports do not see. */
export type Admission = { cookie: string; key: string };

/** 256 bits of chance, in letters that an address may hold. */
export function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares without telling by its time how much of it was right. */
export function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

/** Both secrets of a request; empty where it has none. */
export function secretsIn(headers: IncomingHttpHeaders, cookieName: string): Admission {
  const key = headers[KEY_HEADER];
  return { cookie: cookieIn(headers.cookie ?? "", cookieName), key: typeof key === "string" ? key : "" };
}

function cookieIn(header: string, name: string): string {
  for (const part of header.split(";")) {
    const [key = "", value = ""] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return "";
}
