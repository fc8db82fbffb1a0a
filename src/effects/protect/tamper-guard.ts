import { existsSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { settledVersionOf } from "../files/file-version.ts";
import { namesIn } from "../files/names-in.ts";
import { makePrivateFolder, PRIVATE_FILE, SHARED_FILE } from "../files/private.ts";
import { readRegularIfThere } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";
import { slashPath } from "../files/slash-path.ts";
import { readLock } from "../journal/lock.ts";
import type { Projections } from "../state-files/projections.ts";
import { forceWriteFile } from "./displace.ts";

/**
 * Prevents an agent from influencing decisions through ralph's own files (product.md "What ralph decides, and on what" and
 * "Files"): the agent may edit only the plan. The user's changes between calls stay.
 */
export type TamperGuard = {
  /** Call it right before an agent starts. */
  watch(): void;
  /** Undoes changes since then. @returns each changed file and what was done. Never throws. */
  repair(): string[];
};

export type TamperGuardOptions = {
  project: string;
  /** Restored to its old text; null if a task replaces it. */
  prompt: string | null;
  /** Where settings may be. They were read at the start, so a change is only reported; a new file is moved away. */
  settings: readonly string[];
  /** The folder of runs: during a run, another run's folder there is forged. */
  runs: string;
  lock: string;
  /** Where earlier versions looked for commands: what an agent puts there has no effect, and is told. */
  control: string;
  /** Keeps the agent's versions of files. */
  keep: string;
  projections: Pick<Projections, "repair">;
  /** Restores the journal; returns a description of each repair. */
  repairJournal(): string[];
  /** Epoch ms, of the clock that stamps files. */
  now?(): number;
};

/** Guards the files of one run. */
export function createTamperGuard({
  project,
  prompt,
  settings,
  runs,
  lock,
  control,
  keep,
  projections,
  repairJournal,
  now = Date.now,
}: TamperGuardOptions): TamperGuard {
  let known = new Set<string>();
  let watched = false;
  let before = new Map<string, Known>();
  let edits = 0;
  const displayPath = (path: string) => slashPath(project, path);
  const changed = (path: string | null): path is string => {
    const old = path === null ? undefined : before.get(path);
    if (path === null || old === undefined || isStill(old, path)) return false;
    const content = readIfPresent(path);
    return content !== null && !content.equals(old.content);
  };
  /** A file that nobody wrote since it was seen is not read again. */
  const isStill = ({ version }: Known, path: string) => version !== null && settledVersionOf(path, now()) === version;
  /** Null where nothing is, or it is unreadable right now. */
  const see = (path: string): Known | null => {
    // The version first: what is written between the two shows in the next.
    const version = settledVersionOf(path, now());
    const content = readIfPresent(path);
    return content === null ? null : { content, version };
  };

  function restore(path: string, content: Buffer): string {
    edits += 1;
    const copy = join(keep, `${basename(path)}.edited-${edits}`);
    const edited = readIfPresent(path);
    makePrivateFolder(keep);
    if (edited !== null) writeFileAtomic(copy, edited);
    writeFileAtomic(path, content, SHARED_FILE);
    return `${displayPath(path)} (put back; the edited text is kept in ${displayPath(copy)})`;
  }

  /** Moves away what the agent put where only the user or ralph may write. */
  function moveToKeep(path: string): string {
    edits += 1;
    const copy = join(keep, `${basename(path)}.added-${edits}`);
    makePrivateFolder(keep);
    renamePatiently(path, copy);
    return `${displayPath(path)} (removed; it is kept in ${displayPath(copy)})`;
  }

  function repairPrompt(): string[] {
    const old = prompt === null ? undefined : before.get(prompt);
    return changed(prompt) && old !== undefined ? [restore(prompt, old.content)] : [];
  }

  function repairSettings(path: string): string[] {
    if (changed(path))
      return [`${displayPath(path)} (no effect on this run; look at it before the next, unless you changed it)`];
    return watched && !before.has(path) && existsSync(path) ? [moveToKeep(path)] : [];
  }

  function repairRuns(): (() => string[])[] {
    const added = watched ? namesIn(runs).filter((name) => !known.has(name)) : [];
    return added.map((name) => () => [moveToKeep(join(runs, name))]);
  }

  function repairLock(): string[] {
    const old = before.get(lock);
    if (old === undefined || isStill(old, lock)) return [];
    if (readIfPresent(lock)?.equals(old.content) === true || !existsSync(dirname(lock))) return [];
    // Another ralph took this one for dead: its lock is not ours to replace.
    if (readLock(lock)?.isHeld === true) return [];
    forceWriteFile(lock, old.content, PRIVATE_FILE);
    return [`${displayPath(lock)} (put back)`];
  }

  function repairControl(): string[] {
    if (!existsSync(control)) return [];
    try {
      rmdirSync(control); // an empty one is an earlier version's
    } catch {
      if (existsSync(control)) return [moveToKeep(control)];
    }
    return [];
  }

  function watch(): void {
    known = new Set(namesIn(runs));
    watched = true;
    const paths = [prompt, ...settings, lock].filter((path) => path !== null);
    const contents = paths.flatMap((path): [string, Known][] => {
      const old = before.get(path);
      const known = old !== undefined && isStill(old, path) ? old : see(path);
      return known === null ? [] : [[path, known]];
    });
    before = new Map(contents);
  }

  return {
    watch,
    repair() {
      const repairs = [
        repairPrompt,
        ...settings.map((path) => () => repairSettings(path)),
        ...repairRuns(),
        repairLock,
        repairControl,
        () => projections.repair().map((name) => `.ralph/${name} (put back)`),
        repairJournal,
      ].flatMap(attempt);
      // The next check compares with the current content: each change is reported once.
      if (repairs.length > 0) watch();
      return repairs;
    },
  };
}

/** A file as it was seen. */
type Known = { content: Buffer; version: string | null };

function readIfPresent(path: string): Buffer | null {
  try {
    return readRegularIfThere(path);
  } catch {
    return null; // unreadable right now: not an edit
  }
}

/**
 * The reports of one repair. A repair that fails must not hide the others; whoever needs the file next meets the full disk or
 * the missing folder anyway.
 */
function attempt(action: () => string[]): string[] {
  try {
    return action();
  } catch {
    return [];
  }
}
