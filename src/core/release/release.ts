import * as v from "valibot";
import { jsonIn } from "../json-value.ts";
import { compareVersions, parseVersion } from "./semver.ts";

const Asset = v.object({
  /** Address of the compressed program, absolute or relative to `latest.json`. */
  url: v.pipe(v.string(), v.minLength(1)),
  /** SHA-256 of the file at `url`, hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Bytes of the file at `url`. */
  size: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Ed25519 signature of `signaturePayload`, base64; null in an unsigned release. */
  signature: v.nullable(v.string()),
});

const Release = v.object({
  version: v.pipe(
    v.string(),
    v.check((text) => parseVersion(text) !== null),
  ),
  notes: v.string(),
  date: v.string(),
  platforms: v.record(v.string(), Asset),
});

export type Asset = v.InferOutput<typeof Asset>;

/** `latest.json`: the parts of the newest release. */
export type Release = v.InferOutput<typeof Release>;

/** Reads `latest.json`; null for anything else. */
export function parseRelease(text: string): Release | null {
  const result = v.safeParse(Release, jsonIn(text));
  return result.success ? result.output : null;
}

/** The signed text. It binds version and platform, and thereby prevents an old, signed program under a new number. */
export function signaturePayload({
  version,
  target,
  sha256,
}: {
  version: string;
  target: string;
  sha256: string;
}): string {
  return `ralph ${version} ${target} ${sha256}\n`;
}

/** An offered version, compared with the running one. */
export type Standing = "newer" | "same" | "older" | "pre-release";

/** A pre-release is only offered to a running pre-release. */
export function compareToRunning(offered: string, running: string): Standing {
  const [theirs, ours] = [parseVersion(offered), parseVersion(running)];
  if (theirs === null || ours === null) return "same";
  const order = compareVersions(theirs, ours);
  if (order === 0) return "same";
  if (order < 0) return "older";
  return theirs.prerelease.length > 0 && ours.prerelease.length === 0 ? "pre-release" : "newer";
}
