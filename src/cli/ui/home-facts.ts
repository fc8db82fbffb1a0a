import { statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../core/durations.ts";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import { readHead } from "../../effects/git/refs.ts";
import { discoverRepository } from "../../effects/git/repository.ts";
import { JOURNAL_FILE, runsFromNewest } from "../../effects/journal/journal-read.ts";
import { runReceipt } from "../../effects/journal/run-list.ts";
import { listWorktrees } from "../../effects/worktrees/worktrees.ts";
import type { CardFacts } from "../../view/ui/card-facts.ts";
import { swarmWorkers } from "../show/swarm-workers.ts";
import type { ProjectNow } from "./projects.ts";

/** What these facts rest on changes seldom, and costs a few files each. */
const LOOK_MS = 3000;
const RECENT_MS = 3 * DAY_MS;
const RUNS_SHOWN = 5;

/** What a card tells beside the newest run: branch, worktrees, ended runs, a swarm's workers. A project of which some of it cannot be read has none of it. */
export function createHomeFacts(project: string): (now: ProjectNow, at: number) => CardFacts {
  const receipts = new Map<string, { size: number; receipt: RunReceipt }>();
  let known: CardFacts | null = null;
  let looked = 0;
  const runsDir = join(project, ".ralph", "runs");

  const ended = (at: number): RunReceipt[] =>
    [...runsFromNewest(runsDir).drop(1).take(RUNS_SHOWN)].flatMap((run) => {
      const found = statSync(join(runsDir, run, JOURNAL_FILE), { throwIfNoEntry: false });
      if (found === undefined || at - found.mtimeMs > RECENT_MS) return [];
      const before = receipts.get(run);
      if (before?.size === found.size) return [before.receipt];
      const receipt = runReceipt(runsDir, run, false);
      receipts.set(run, { size: found.size, receipt });
      return [receipt];
    });

  const read = ({ state, model }: ProjectNow, at: number): CardFacts => {
    const repository = discoverRepository(project);
    return {
      branch: repository === null ? null : readHead(repository).branch,
      model,
      worktrees: listWorktrees(project).map(({ name, branch, project: path }) => ({ name, branch, project: path })),
      ended: ended(at),
      workers: swarmWorkers(project, state),
    };
  };
  return (now, at) => {
    // Also later: the clock may have been set back.
    if (known !== null && Math.abs(at - looked) < LOOK_MS) return known;
    looked = at;
    try {
      known = read(now, at);
    } catch {
      known = null; // a file of it went while it was read, or may not be read: the card is shown without
    }
    known ??= { branch: null, model: now.model, worktrees: [], ended: [], workers: [] };
    return known;
  };
}
