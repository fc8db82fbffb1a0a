/** The morning page: what landed since its user last looked, for all projects. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { DAY_MS } from "../../core/durations.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { foldsCase } from "../../core/project-path.ts";
import { createHarvest, isTakenBack, type RunHarvest } from "../../core/report/landed.ts";
import { reasonOf } from "../../core/system-error.ts";
import { JOURNAL_FILE, listRuns, readJournal } from "../../effects/journal/journal-read.ts";
import { isWords } from "../../effects/journal/line-filter.ts";
import type { Looked } from "../../effects/user/looked.ts";
import { listWorktrees, ownerOf } from "../../effects/worktrees/worktrees.ts";
import type { Morning, MorningProject } from "../../view/ui/morning-page.ts";
import { createProjectWatch } from "./projects.ts";

/** The server answers others after each journal, and after so many bytes of a long one. */
const TURN_BYTES = 8 * 1024 * 1024;
const foldCase = foldsCase(process.platform);

/** Reads what landed; a journal that did not grow is not read twice. */
export type MorningReader = (projects: readonly string[], looked: Looked, now: number) => Promise<Morning>;

export function createMorningReader(): MorningReader {
  const known = new Map<string, { size: number; harvest: RunHarvest }>();
  return async (projects, looked, now) => {
    const since = looked.looked_at ?? new Date(now - DAY_MS).toISOString();
    const used = new Set<string>();
    const harvest = async (path: string) => {
      used.add(path);
      const { size } = statSync(path);
      const before = known.get(path);
      if (before?.size === size) return before.harvest;
      const read = await readRun(path);
      known.set(path, { size, harvest: read });
      return read;
    };
    const all: MorningProject[] = [];
    for (const project of projects) all.push(await projectMorning(project, { since, looked, now, harvest }));
    for (const path of known.keys()) if (!used.has(path)) known.delete(path);
    return { since, is_first: looked.looked_at === null, projects: all.map((one) => onlyOnce(one, all)) };
  };
}

type Asked = { since: string; looked: Looked; now: number; harvest(path: string): Promise<RunHarvest> };

async function projectMorning(project: string, { since, looked, now, harvest }: Asked): Promise<MorningProject> {
  const { id, report, fault } = createProjectWatch(project)(now);
  const empty = { id, project, report, landed: [], spent: [] };
  if (report === null) return { ...empty, fault };
  try {
    const runs = [];
    for (const path of journalsSince(join(project, ".ralph", "runs"), Date.parse(since)))
      runs.push(await harvest(path));
    const back = runs.flatMap(({ taken_back }) => taken_back);
    const landed = runs
      .flatMap((run) => run.landed)
      .filter(({ at }) => at > since)
      .map((work) => ({
        ...work,
        taken_back: isTakenBack(work, back),
        accepted: looked.accepted.some(
          (one) => one.project === project && one.run === work.run && one.mark === work.mark,
        ),
      }));
    const spent = runs.flatMap((run) => run.spent.filter(({ at }) => at > since));
    return { ...empty, landed, spent, fault: null };
  } catch (error) {
    return { ...empty, fault: reasonOf(error) };
  }
}

/** What a worker's worktree tells itself, with its proof and diff, is not told again by the project that it belongs to. */
function onlyOnce(one: MorningProject, all: readonly MorningProject[]): MorningProject {
  const its = all.filter(({ project }) => project !== one.project && ownerOf(project) === one.project);
  const told = new Set(its.flatMap(({ landed }) => landed.flatMap(({ tasks }) => tasks)));
  const workers = new Set(listWorktrees(one.project).map(({ name }) => name));
  return {
    ...one,
    landed: one.landed.filter(({ target, tasks }) => target === null || !tasks.every((task) => told.has(task))),
    spent: one.spent.filter(({ worker }) => worker === null || !workers.has(worker)),
  };
}

/** Of the runs that may have something newer, oldest first. @param since epoch ms */
function journalsSince(runsDir: string, since: number): string[] {
  return listRuns(runsDir)
    .map((run) => join(runsDir, run, JOURNAL_FILE))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since);
}

async function readRun(path: string): Promise<RunHarvest> {
  const harvest = createHarvest({ foldCase });
  let events: RalphEvent[] = [];
  let turn = TURN_BYTES;
  for (const line of readJournal(path, 0, isWords)) {
    if ("event" in line) events.push(line.event);
    if (line.end < turn) continue;
    turn = line.end + TURN_BYTES;
    harvest.take(events);
    events = [];
    await setImmediate();
  }
  harvest.take(events);
  await setImmediate();
  return harvest.end();
}
