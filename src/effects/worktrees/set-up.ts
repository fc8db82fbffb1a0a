/** The command that makes a new worktree fit to work in, as `npm ci`: it runs once. */
import { join } from "node:path";
import process from "node:process";
import { GRACE_MS } from "../../core/durations.ts";
import { withoutRepository } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { shellCommand } from "../../core/shell-command.ts";
import { visibleControls } from "../../core/text/plain-text.ts";
import { createGuardian } from "../process/guardian.ts";
import { outputEnds } from "../process/output-ends.ts";
import { createProcessPort } from "../process/run-process.ts";
import { makerMark } from "./leftovers.ts";
import { recordFile, rootOf, type WorktreeRecord } from "./record.ts";
import { type OpenOptions, worktreeEnv } from "./worktrees.ts";

const TAIL_BYTES = 4000;

/**
 * Runs it in the project of the worktree. What it leaves running is ended with it.
 * @throws RalphError `environment` with its output if it fails; the signal's reason if that aborts
 */
export async function setUp(
  { name, prefix }: WorktreeRecord,
  { project: owner, setup, masks, env, signal, say }: OpenOptions,
): Promise<void> {
  if (setup === null || setup === "") return;
  say(`Setting it up: ${setup}`);
  const project = join(rootOf(owner, name), prefix);
  const file = recordFile(owner, name, "setup.log");
  const port = createProcessPort(undefined, null, createGuardian());
  const { outcome, exitCode, spawnError } = await port.run(shellCommand(setup, process.platform), {
    cwd: project,
    env: { ...withoutRepository(env), ...worktreeEnv(project) },
    stdoutFile: file,
    stderrFile: file,
    mask: masks.bytes,
    timeoutMs: 0,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal,
    marker: makerMark(rootOf(owner, name)),
    onStart: () => {},
    onLines: () => {},
    isFinished: () => false,
  });
  signal.throwIfAborted();
  if (outcome === "ok" && exitCode === 0) return;
  const { head, tail } = outputEnds(file, { head: TAIL_BYTES, tail: TAIL_BYTES });
  const output = visibleControls((spawnError ?? (tail === "" ? head : `…${tail}`)).trimEnd());
  throw new RalphError(
    "environment",
    `The set-up of the worktree ${name} failed${exitCode === null ? "" : ` (exit ${exitCode})`}: ${setup}${output === "" ? "" : `\n${output}`}`,
    {
      hint: `The worktree is there, and the same command tries its set-up again. To give it up: ralph worktrees remove ${name}`,
    },
  );
}
