import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { Host } from "../../driver.ts";
import type { RunSync } from "../../effects/ports.ts";
import script from "./bash-hooks.sh" with { type: "text" };
import { type HookAnswer, parseHookAnswer } from "./hook-answer.ts";

/** At most, hooks ask a CLI for its sessions; a hook that waits for input never ends. */
const TIMEOUT_MS = 20_000;

export type HookCall = {
  /** Variables for the hooks. */
  globals?: Readonly<Record<string, string>>;
  /** Text for stdin. */
  input?: string;
};

/**
 * Calls the hooks of one bash driver; `wanted` is a case of `bash-hooks.sh`.
 * @throws RalphError if the driver fails: `config` for "describe", which loads it, else `environment`
 */
export type HookRunner = (
  wanted: "describe" | "build" | "session" | "available" | "help",
  args?: readonly string[],
  call?: HookCall,
) => { answer: HookAnswer; stderr: string };

/**
 * @param file of the driver, absolute
 * @throws RalphError `environment` if there is no bash
 */
export function bashHooks(file: string, host: Host, run: RunSync): HookRunner {
  const bash = findBash(host);
  if (bash === null) {
    throw new RalphError("environment", `The driver ${file} is a bash script, and there is no bash on the PATH.`, {
      hint:
        host.platform === "win32"
          ? "Install Git for Windows, which includes it, or use another driver."
          : "Install bash, or use another driver.",
    });
  }
  const path = host.platform === "win32" ? file.replaceAll("\\", "/") : file;
  const hooks = script.replaceAll("\r", "");
  return (wanted, args = [], { globals = {}, input = "" } = {}) => {
    const { stdout, stderr, failure } = run([bash, "-c", hooks, "ralph-driver", path, wanted, ...args], {
      cwd: host.cwd,
      env: { ...definedOnly(host.env), ...globals },
      input,
      timeoutMs: TIMEOUT_MS,
    });
    const answer = failure === null ? parseHookAnswer(stdout) : null;
    if (answer !== null) return { answer, stderr };
    const why = failure ?? (stderr.trim() || "it exited the shell");
    const code = wanted === "describe" ? "config" : "environment";
    throw new RalphError(code, `The driver ${file} failed (${wanted}): ${why}`, {
      hint: `Try it by hand: bash -c 'source "${path}"; driver_name'`,
    });
  };
}

/** On Windows, `bash` on the PATH is usually that of WSL, which does not see Windows paths and programs. */
function findBash(host: Host): string | null {
  const { ProgramFiles = "C:\\Program Files" } = host.env;
  const git = host.platform === "win32" ? host.which(`${ProgramFiles}\\Git\\bin\\bash.exe`) : null;
  return git ?? host.which("bash");
}
