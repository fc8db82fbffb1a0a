import process from "node:process";
import type { EnvVars } from "../core/env-vars.ts";
import { isTerminal } from "../effects/terminal/is-terminal.ts";
import { logFlags } from "./args/log-flags.ts";
import { createLog, type Log, type LogOptions } from "./log.ts";
import { wantsColor } from "./wants-color.ts";

/** The log that a command line asks for. */
export function openLog(
  argv: readonly string[],
  { env, ...outputs }: Pick<LogOptions, "stdout" | "stderr"> & { env: EnvVars },
): Log {
  const { color, ...flags } = logFlags(argv);
  const isTty = isTerminal(2);
  // One of unknown size reports 0: each letter would get a line of its own.
  const width = () => (isTty ? process.stderr.columns || 80 : Number.POSITIVE_INFINITY);
  return createLog({ ...flags, color: wantsColor(color, env, isTty), width, ...outputs });
}
