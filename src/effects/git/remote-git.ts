/** git whose talk with remotes a stop ends, and nothing else of it: a checkout that it ended midway would be left half written. */
import { type Git, needOf } from "./git-program.ts";

/** What talks to a remote. */
const REMOTE: ReadonlySet<string> = new Set(["ls-remote", "fetch", "push", "lfs"]);

/** Whether a call of git talks to a remote. */
export function asksRemote([command = ""]: readonly string[]): boolean {
  return REMOTE.has(command);
}

/** The same git, whose calls of a remote end with the signal. */
export function stoppableRemote({ dir, run: plain }: Git, signal: AbortSignal): Git {
  const run: Git["run"] = (args, options) => plain(args, asksRemote(args) ? { signal, ...options } : options);
  return { dir, run, need: needOf(run) };
}
