import type { Checkpoint } from "../../core/checkpoints/checkpoint-list.ts";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import type { EventOf } from "../../core/journal/event.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { RestoredFiles } from "../../effects/ports.ts";
import { checkpointNow } from "../checkpoint.ts";
import type { Run } from "../run.ts";
import { runGates } from "./gates.ts";

type Undone = EventOf<"undone">;

/**
 * Makes the files as a checkpoint has them, after a checkpoint of now, so that this too can be undone. Commits, branches, index and ignored
 * files stay.
 * @param name of the checkpoint of now
 * @param about `since`: what the work left, if a checkpoint has it
 * @throws RalphError `environment` if a checkpoint cannot be made or read; no file was changed then
 */
export function undoTo(
  run: Run,
  { target, since }: { target: Pick<Checkpoint, "run" | "name" | "commit">; since: Pick<Checkpoint, "commit"> | null },
  name: string,
): Promise<Undone> {
  const to = target.run === run.state().run ? target.name : `${target.run}/${target.name}`;
  return undo(run, { name, to }, (from, aside) =>
    run.world.checkpoints.restore({ from, to: target.commit, aside, since: since?.commit ?? null }),
  );
}

/** What a task changed. */
export type TaskUndo = {
  task: string;
  /** Its iterations, the last first. */
  steps: readonly { before: string; after: string }[];
  /** The plan with the task open again, `text` null if it is so already; null without a plan. */
  plan: { path: string; text: string | null } | null;
};

/**
 * Takes the changes of one task out of the files, whatever came after it, and runs the gates.
 * @param name of the checkpoint of now
 * @returns what was done, and the gates that are red now
 * @throws RalphError `environment` as `undoTo`, and if later work stands in the way
 */
export async function undoTask(
  run: Run,
  { task, steps, plan }: TaskUndo,
  name: string,
): Promise<{ undone: Undone; red: string[] }> {
  const undone = await undo(run, { name, to: null, task }, async (from, aside) => {
    const done = await run.world.checkpoints.takeBack({ from, steps, plan, aside });
    if ("conflicts" in done) throw inTheWay(done.conflicts);
    return done;
  });
  if (gateCommands(run.settings).length === 0) return { undone, red: [] };
  await runGates(run, { iteration: run.state().iteration, couldEndOn: null });
  const red = run.state().gates.flatMap(({ ok, command }) => (ok ? [] : [command]));
  return { undone, red };
}

function inTheWay(conflicts: readonly string[]): RalphError {
  const what = conflicts.map((conflict) => `  ${conflict}`).join("\n");
  return new RalphError("environment", `Nothing was undone: later work stands in the way.\n${what}`, {
    hint: `Take ${conflicts.length === 1 ? "it" : "them"} back first, or everything since with: ralph undo N`,
  });
}

type About = { name: string; to: string | null; task?: string };

async function undo(
  run: Run,
  { name, ...about }: About,
  act: (from: string, aside: string) => Promise<RestoredFiles>,
): Promise<Undone> {
  try {
    const made = await checkpointNow(run, { name, before: "an undo", onlyNew: false });
    if (made === null) throw new Error("nothing was kept");
    const done = await act(made.commit, run.files.file(name));
    const undone = run.append({ type: "undone", ...about, kept: name, ...done });
    // The agent's conversation remembers files that are no more.
    if (undone.written + undone.deleted > 0 && run.state().session.session_id !== null)
      run.append({ type: "reset", what: "session", reason: "undone" });
    return undone;
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("environment", `Nothing was undone: ${reasonOf(cause)}`, { cause });
  }
}
