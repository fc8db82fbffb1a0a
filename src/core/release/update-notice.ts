import * as v from "valibot";
import { DAY_MS } from "../durations.ts";
import { jsonIn } from "../json-value.ts";
import { compareToRunning } from "./release.ts";

const CachedRelease = v.object({ source: v.string(), checked_at: v.number(), version: v.string() });

/** The last answer of a release source; times in epoch ms. */
export type CachedRelease = v.InferOutput<typeof CachedRelease>;

/** Reads the cached answer; null if it is unusable. */
export function parseCachedRelease(text: string): CachedRelease | null {
  const result = v.safeParse(CachedRelease, jsonIn(text));
  return result.success ? result.output : null;
}

/** The conditions for an update check at the start (product.md "Self-update check"). */
export type Conditions = { mode: "true" | "false" | "always"; inCi: boolean; isTty: boolean };

export function shouldCheckForUpdate({ mode, inCi, isTty }: Conditions): boolean {
  return mode === "always" || (mode === "true" && !inCi && isTty);
}

/** Whether the cached answer is too recent to ask the source again. A clock that went back counts as stale. */
export function isFresh(known: CachedRelease | null, source: string, now: number): known is CachedRelease {
  if (known === null || known.source !== source) return false;
  const age = now - known.checked_at;
  return age >= 0 && age < DAY_MS;
}

/**
 * The three lines, or null for no notice.
 * @param how the command that installs the update
 */
export function updateNotice({
  offered,
  running,
  how,
}: {
  offered: string;
  running: string;
  how: string;
}): string | null {
  if (compareToRunning(offered, running) !== "newer") return null;
  return [
    `ralph ${offered} is available; this is ${running}.`,
    `  Get it: ${how}`,
    "  Turn this notice off: RALPH_UPDATE_CHECK=false",
    "",
  ].join("\n");
}
