/** Who may speak to the server of `ralph ui`: a browser that was given an address in the terminal, and nobody else. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** At most this many browsers stay admitted; the oldest leaves. */
const MOST_SESSIONS = 16;
export const KEY_HEADER = "x-ralph-key";

/** What a browser got for the token: a cookie that scripts do not see, and a key that other ports do not see. */
export type Admission = { cookie: string; key: string };

export type Access = {
  /** What belongs behind the # of an address; it lets one browser in, once. */
  token(): string;
  /** Takes a token. @returns null if it is not the one */
  admit(token: string): Admission | null;
  /** Whether both secrets of one admission came. */
  isAdmitted(headers: IncomingHttpHeaders): boolean;
  cookieName: string;
};

/**
 * The secrets of one start of the server. A cookie alone would not do: browsers send it to every port of the address, so the
 * dev server of an agent would get it. A key alone would not do either: a script that got into the page could take it away.
 * @param port of the server; names the cookie, so that two servers do not take each other's place
 */
export function createAccess(port: number): Access {
  const cookieName = `ralph-ui-${port}`;
  const sessions: Admission[] = [];
  let token = secret();
  return {
    cookieName,
    token: () => token,
    admit(given) {
      if (!isSame(given, token)) return null;
      token = secret();
      const admission = { cookie: secret(), key: secret() };
      sessions.push(admission);
      if (sessions.length > MOST_SESSIONS) sessions.shift();
      return admission;
    },
    isAdmitted(headers) {
      const cookie = cookieIn(headers.cookie ?? "", cookieName);
      const key = headers[KEY_HEADER];
      return sessions.some((one) => isSame(cookie, one.cookie) && isSame(typeof key === "string" ? key : "", one.key));
    },
  };
}

/** Why a request may not be answered at all: a name that was bound to this address, or another origin's page; null for none. */
export function strangerIn(headers: IncomingHttpHeaders, port: number, isChange: boolean): string | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? "")) return "This server answers only to its own address.";
  const { origin } = headers;
  if (origin === undefined ? isChange : origin !== `http://${headers.host}`)
    return "This server answers only to its own page.";
  const site = headers["sec-fetch-site"];
  if (
    site !== undefined &&
    site !== "same-origin" &&
    site !== "none" &&
    (isChange || headers["sec-fetch-mode"] !== "navigate")
  )
    return "This server answers only to its own page.";
  return null;
}

/** 256 bits of chance, in letters that an address may hold. */
export function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares without telling by its time how much of it was right. */
export function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

function cookieIn(header: string, name: string): string {
  for (const part of header.split(";")) {
    const [key = "", value = ""] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return "";
}
