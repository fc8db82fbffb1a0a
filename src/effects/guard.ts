import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { writeWhole } from "./project-files.ts";
import type { Projections } from "./projections.ts";

/**
 * Keeps an agent from deciding anything by editing ralph's own files (product.md 1 and "Files"): only the plan is the
 * agent's to edit. What its user does between calls stands.
 */
export type Guard = {
  /** To be called right before an agent starts. */
  watch(): void;
  /** Puts back what was changed since; each file that was, with what became of it. Never throws. */
  mend(): string[];
};

export type Guarded = {
  project: string;
  /** Put back as it was; null where a task stands in for it. */
  prompt: string | null;
  /** Read once at the start of a run: a change is only told. */
  settings: string | null;
  lock: string;
  /** What the agent made of a file is kept here. */
  keep: string;
  projections: Pick<Projections, "mend">;
  /** Puts the journal back; what was done to it. */
  mendJournal(): string[];
};

/** Watches over the files of one run. */
export function createGuard({ project, prompt, settings, lock, keep, projections, mendJournal }: Guarded): Guard {
  let before = new Map<string, Buffer>();
  let edits = 0;
  const shown = (path: string) => relative(project, path).split(sep).join("/");
  const changed = (path: string | null): path is string => {
    const old = path === null ? undefined : before.get(path);
    const now = path === null ? null : contentOf(path);
    return old !== undefined && now !== null && !now.equals(old);
  };

  function putBack(path: string, content: Buffer): string {
    edits += 1;
    const copy = join(keep, `${basename(path)}.edited-${edits}`);
    const edited = contentOf(path);
    if (edited !== null) writeWhole(copy, edited);
    writeWhole(path, content);
    return `${shown(path)} (put back; the edited text is kept in ${shown(copy)})`;
  }

  function mendFiles(): string[] {
    const told: string[] = [];
    const old = prompt === null ? undefined : before.get(prompt);
    if (changed(prompt) && old !== undefined) told.push(putBack(prompt, old));
    if (changed(settings)) told.push(`${shown(settings)} (no effect on this run; look at it before the next)`);
    const held = before.get(lock);
    if (held !== undefined && (changed(lock) || !existsSync(lock)) && existsSync(join(lock, ".."))) {
      writeWhole(lock, held);
      told.push(`${shown(lock)} (put back)`);
    }
    return told;
  }

  function watch(): void {
    const paths = [prompt, settings, lock].filter((path) => path !== null);
    const contents = paths.flatMap((path): [string, Buffer][] => {
      const content = contentOf(path);
      return content === null ? [] : [[path, content]];
    });
    before = new Map(contents);
  }

  return {
    watch,
    mend() {
      const mended = [
        ...attempt(mendFiles),
        ...attempt(() => projections.mend().map((name) => `.ralph/${name} (put back)`)),
        ...attempt(mendJournal),
      ];
      // What stands now is what the next look compares with: a change is told once.
      watch();
      return mended;
    },
  };
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null; // gone, or unreadable just now: that is not an edit
  }
}

/** A disk that is full, or a folder that is gone, is met again by whoever needs it. */
function attempt(action: () => string[]): string[] {
  try {
    return action();
  } catch {
    return [];
  }
}
