/**
 * By how much local time is ahead of UTC, from the C library: the first local time of JavaScript costs a tenth of a run's start (4 ms and
 * 2 MB, measured: the runtime loads its time zones), the library's 0.2 ms.
 *
 * `node:` has no call for it, so this file may use what Bun adds (AGENTS.md, rule 5). Elsewhere `Date` says it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { SECOND_MS } from "../core/durations.ts";
import { utcOffset } from "../core/text/time-text.ts";

/** `struct tm` of glibc in words of 32 bits, and where `tm_gmtoff` stands in it: seconds east of UTC, a long of which one word is enough. */
const STRUCT_WORDS = 16;
const GMTOFF = 10;

/** @returns the offset at a time (epoch ms), in ms; it reads nothing before the first call */
export function createLocalOffset(): (at: number) => number {
  let local: LocalTime | null | undefined;
  const found = new Int32Array(STRUCT_WORDS);
  return (at) => {
    if (local === undefined)
      local = process.platform === "linux" && process.versions.bun !== undefined && isZoneOfBoth() ? openCall() : null;
    const isFound = Number.isFinite(at) && local?.(BigInt64Array.of(BigInt(Math.floor(at / SECOND_MS))), found);
    return isFound ? (found[GMTOFF] ?? 0) * SECOND_MS : utcOffset(at);
  };
}

/**
 * Whether the C library takes the zone that this process names for what `Date` does, which the rest of the program asks: it takes one without
 * a file for UTC (a container often has none), and it alone knows one by its rules, such as `CET-1CEST`.
 */
function isZoneOfBoth(): boolean {
  const { TZ = "", TZDIR = "/usr/share/zoneinfo" } = process.env;
  return TZ === "" || (!TZ.startsWith("/") && existsSync(join(TZDIR, TZ)));
}

/** Memory is passed as it is, never by its address: small arrays move. Zero where there is no such time. */
type LocalTime = (seconds: BigInt64Array, found: Int32Array) => number;
type BunFfi = {
  dlopen(
    path: string,
    symbols: { localtime_r: { args: string[]; returns: string } },
  ): {
    symbols: { localtime_r: LocalTime };
  };
};

function openCall(): LocalTime | null {
  try {
    const { dlopen } = process.getBuiltinModule("bun:ffi") as unknown as BunFfi;
    // The C library's name on glibc; musl takes it for its own, and its `struct tm` is the same.
    return dlopen("libc.so.6", { localtime_r: { args: ["ptr", "ptr"], returns: "ptr" } }).symbols.localtime_r;
  } catch {
    return null; // a system without this library, or one that forbids to run generated code
  }
}
