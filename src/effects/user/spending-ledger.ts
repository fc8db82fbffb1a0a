import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { dayOf } from "../../core/money/spending.ts";
import { reasonOf } from "../../core/system-error.ts";
import { makePrivateFolder } from "../files/private.ts";
import { appendLine, readRegularIfThere } from "../files/regular-file.ts";
import type { SpendingLedger } from "../ports.ts";
import { stateFolder, type User } from "./home.ts";

/**
 * What this user's runs spent, in any project: a line for each call, in a file for each month. Lines are appended whole, so that
 * several runs may write at once.
 * @param offsetAt of local time at a time, in ms
 */
export function spendingLedger(host: User, offsetAt?: (at: number) => number): SpendingLedger {
  const folder = join(stateFolder(host), "spending");
  const fileOf = (day: string) => join(folder, `${day.slice(0, 7)}.jsonl`);
  return {
    add(at, usd) {
      const day = dayOf(at, offsetAt?.(at));
      attempt(fileOf(day), "written", () => {
        makePrivateFolder(folder);
        appendLine(fileOf(day), `${JSON.stringify({ day, usd })}\n`);
      });
    },
    spentOn(day) {
      const lines = attempt(fileOf(day), "read", () => linesOf(fileOf(day)));
      return lines.reduce((sum, line) => sum + (line.day === day ? line.usd : 0), 0);
    },
  };
}

function attempt<T>(file: string, what: "written" | "read", action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new RalphError("environment", `${file} cannot be ${what}: ${reasonOf(cause)}`, {
      hint: "It holds what your runs of all projects spent, for MAX_COST_PER_DAY. Make it writable, or move it aside.",
      cause,
    });
  }
}

function linesOf(file: string): { day: string; usd: number }[] {
  const lines = readRegularIfThere(file)?.toString("utf8").split("\n") ?? [];
  return lines.flatMap((line) => {
    try {
      const { day, usd } = JSON.parse(line) as { day?: unknown; usd?: unknown };
      return typeof day === "string" && typeof usd === "number" && Number.isFinite(usd) ? [{ day, usd }] : [];
    } catch {
      return []; // a line that a kill or a full disk cut off, or an empty one
    }
  });
}
