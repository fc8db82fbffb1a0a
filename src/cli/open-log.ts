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
  return createLog({ ...flags, color: wantsColor(color, env, isTerminal(2)), ...outputs });
}
