import { readdirSync, readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { forceWriteFile } from "../../effects/protect/displace.ts";
import type { ProjectPort } from "../../run/deps.ts";

/**
 * A project that an agent is only to read. Its tools hold it to that; should one write all the same, what it changed or made is
 * told, and what it took away put back.
 * @param project folder, absolute
 * @param paths of files that are not to change, absolute
 */
export function heldStill(project: string, paths: readonly string[]): ProjectPort {
  let kept = new Map<string, Buffer>();
  let names = new Set<string>();
  const shown = (path: string) => relative(project, path).split(sep).join("/");
  const watch = () => {
    kept = new Map(paths.flatMap((path) => contentOf(path).map((content) => [path, content] as const)));
    names = new Set(namesIn(project));
  };
  return {
    watch,
    mend() {
      const changed = [...kept].flatMap(([path, content]) => {
        const [now] = contentOf(path);
        if (now?.equals(content) === true) return [];
        // It may be its user who wrote meanwhile: only what is gone is put back.
        return `${shown(path)} (${now === undefined ? putBack(path, content) : "changed: look at it"})`;
      });
      const added = namesIn(project).filter((name) => !names.has(name));
      watch();
      return [...changed, ...added.map((name) => `${name} (new: look at it)`)];
    },
    prompt: () => "",
    plan: () => null,
    reviewPrompt: () => null,
    restoreLost: () => [],
    isGone: () => false,
  };
}

function putBack(path: string, content: Buffer): string {
  try {
    forceWriteFile(path, content);
    return "it was gone; put back";
  } catch (error) {
    return `it is gone, and cannot be put back: ${(error as Error).message}`;
  }
}

/** One content, or none where there is no file that can be read. */
function contentOf(path: string): Buffer[] {
  try {
    return [readFileSync(path)];
  } catch {
    return [];
  }
}

/** What lies in a folder beside ralph's own. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name !== ".ralph");
  } catch {
    return [];
  }
}
