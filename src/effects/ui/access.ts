/** Who may speak to the server of `ralph ui`: a browser that was given an address in the terminal, and nobody else. */
import type { IncomingHttpHeaders } from "node:http";
import { type Admission, isSame, secret, secretsIn } from "./secrets.ts";

/** At most this many browsers stay admitted by addresses; the oldest leaves. */
const MOST_SESSIONS = 16;

/** A browser that was let in. */
export type Visitor = {
  /** Whether it may change something, if the server lets anybody. */
  control: boolean;
  /** @param end called once it is no longer let in @returns no longer calls it */
  onGone(end: () => void): () => void;
};

/** @property name of the cookie, with what it needs behind its value */
export type Entered =
  | { admission: Admission; cookie: { name: string; attributes: string } }
  | { refused: string; hint: string; retryAfterMs?: number };

/** Who is let in at one door. */
export type Access = {
  /** @param token what stood behind the # of the address, or was typed */
  enter(token: string, headers: IncomingHttpHeaders): Entered;
  /** The browser that both secrets of one admission are of. */
  visitor(headers: IncomingHttpHeaders): Visitor | null;
  /** What to do to be let in. */
  hint: string;
};

export const COOKIE = "HttpOnly; SameSite=Strict; Path=/";

/**
 * The secrets of one start of the server. A cookie alone would not do: browsers send it to every port of the address, so the
 * dev server of an agent would get it. A key alone would not do either: a script that got into the page could take it away.
 * `token` is what belongs behind the # of an address; it lets one browser in, once.
 * @param port of the server; names the cookie, so that two servers do not take each other's place
 * @param onEntered called when an address was used, and so is worth nothing any more
 */
export function createTokenAccess(port: number, onEntered: () => void): Access & { token(): string } {
  const name = `ralph-ui-${port}`;
  const sessions: Admission[] = [];
  let token = secret();
  return {
    token: () => token,
    hint: "Open the address that ralph ui prints.",
    enter(given) {
      if (!isSame(given, token))
        return {
          refused: "This address was used before, or is of an earlier start.",
          hint: "Open the newest one that ralph ui printed: each lets one browser in.",
        };
      token = secret();
      const admission = { cookie: secret(), key: secret() };
      sessions.push(admission);
      if (sessions.length > MOST_SESSIONS) sessions.shift();
      onEntered();
      return { admission, cookie: { name, attributes: COOKIE } };
    },
    visitor(headers) {
      const { cookie, key } = secretsIn(headers, name);
      const isIn = sessions.some((one) => isSame(cookie, one.cookie) && isSame(key, one.key));
      return isIn ? { control: true, onGone: () => () => {} } : null;
    },
  };
}

/** Why a request may not be answered at all: a name that was bound to this address, or another origin's page; null for none. */
export function strangerIn(
  headers: IncomingHttpHeaders,
  originAt: (host: string) => string | null,
  isChange: boolean,
): string | null {
  const own = originAt(headers.host ?? "");
  if (own === null) return "This server answers only to its own address.";
  const { origin } = headers;
  if (origin === undefined ? isChange : origin !== own) return "This server answers only to its own page.";
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
