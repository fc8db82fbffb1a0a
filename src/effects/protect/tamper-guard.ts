import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import type { Projections } from "../state-files/projections.ts";
import { forceWriteFile } from "./displace.ts";

/**
 * Keeps an agent from deciding anything by editing ralph's own files (product.md 1 and "Files"): only the plan is the
 * agent's to edit. What its user does between calls stands.
 */
export type TamperGuard = {
  /** To be called right before an agent starts. */
  watch(): void;
  /** Puts back what was changed since; each file that was, with what became of it. Never throws. */
  repair(): string[];
};

export type TamperGuardOptions = {
  project: string;
  /** Put back as it was; null where a task stands in for it. */
  prompt: string | null;
  /** Where settings may stand. They were read at the start: a change is only told, a new file is taken away. */
  settings: readonly string[];
  /** The folder of runs: another run's folder can only be made up. */
  runs: string;
  lock: string;
  /** What the agent made of a file is kept here. */
  keep: string;
  projections: Pick<Projections, "repair">;
  /** Puts the journal back; what was done to it. */
  repairJournal(): string[];
};

/** Watches over the files of one run. */
export function createTamperGuard({
  project,
  prompt,
  settings,
  runs,
  lock,
  keep,
  projections,
  repairJournal,
}: TamperGuardOptions): TamperGuard {
  let known = new Set<string>();
  let watched = false;
  let before = new Map<string, Buffer>();
  let edits = 0;
  const shown = (path: string) => relative(project, path).split(sep).join("/");
  const changed = (path: string | null): path is string => {
    const old = path === null ? undefined : before.get(path);
    const now = path === null ? null : readIfPresent(path);
    return old !== undefined && now !== null && !now.equals(old);
  };

  function putBack(path: string, content: Buffer): string {
    edits += 1;
    const copy = join(keep, `${basename(path)}.edited-${edits}`);
    const edited = readIfPresent(path);
    mkdirSync(keep, { recursive: true });
    if (edited !== null) writeFileAtomic(copy, edited);
    writeFileAtomic(path, content);
    return `${shown(path)} (put back; the edited text is kept in ${shown(copy)})`;
  }

  /** What the agent put where only its user or ralph puts anything. */
  function takeAway(path: string): string {
    edits += 1;
    const copy = join(keep, `${basename(path)}.added-${edits}`);
    mkdirSync(keep, { recursive: true });
    renameSync(path, copy);
    return `${shown(path)} (taken away; it is kept in ${shown(copy)})`;
  }

  function mendPrompt(): string[] {
    const old = prompt === null ? undefined : before.get(prompt);
    return changed(prompt) && old !== undefined ? [putBack(prompt, old)] : [];
  }

  function mendSettings(path: string): string[] {
    if (changed(path)) return [`${shown(path)} (no effect on this run; look at it before the next)`];
    return watched && !before.has(path) && existsSync(path) ? [takeAway(path)] : [];
  }

  function mendRuns(): (() => string[])[] {
    const added = watched ? namesIn(runs).filter((name) => !known.has(name)) : [];
    return added.map((name) => () => [takeAway(join(runs, name))]);
  }

  function mendLock(): string[] {
    const held = before.get(lock);
    if (held === undefined || readIfPresent(lock)?.equals(held) === true || !existsSync(dirname(lock))) return [];
    forceWriteFile(lock, held);
    return [`${shown(lock)} (put back)`];
  }

  function watch(): void {
    known = new Set(namesIn(runs));
    watched = true;
    const paths = [prompt, ...settings, lock].filter((path) => path !== null);
    const contents = paths.flatMap((path): [string, Buffer][] => {
      const content = readIfPresent(path);
      return content === null ? [] : [[path, content]];
    });
    before = new Map(contents);
  }

  return {
    watch,
    repair() {
      const mended = [
        mendPrompt,
        ...settings.map((path) => () => mendSettings(path)),
        ...mendRuns(),
        mendLock,
        () => projections.repair().map((name) => `.ralph/${name} (put back)`),
        repairJournal,
      ].flatMap(attempt);
      // What stands now is what the next look compares with: a change is told once.
      watch();
      return mended;
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone: that is told by what is put back
  }
}

function readIfPresent(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null; // gone, or unreadable just now: that is not an edit
  }
}

/**
 * What is told of one thing to mend: one that can't be mended hides none of the others. A disk that is full, or a folder
 * that is gone, is met again by whoever needs it.
 */
function attempt(action: () => string[]): string[] {
  try {
    return action();
  } catch {
    return [];
  }
}
