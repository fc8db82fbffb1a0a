import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "../../core/system-error.ts";
import { namesIn } from "../files/names-in.ts";
import { readRegular } from "../files/regular-file.ts";
import { slashPath } from "../files/slash-path.ts";
import type { ProjectGuard } from "../ports.ts";
import { forceWriteFile } from "./displace.ts";

/**
 * Guards a project that an agent may only read. Its tools should prevent writing; if it writes anyway, changed and new files
 * are reported, and deleted ones restored.
 * @param project folder, absolute
 * @param paths absolute paths of files that must not change
 */
export function createReadOnlyGuard(project: string, paths: readonly string[]): ProjectGuard {
  let kept = new Map<string, Buffer>();
  let folders = new Map<string, string>();
  let names = new Set<string>();
  const displayPath = (path: string) => slashPath(project, path);
  const watch = () => {
    kept = new Map(paths.flatMap((path) => contentOf(path).map((content) => [path, content] as const)));
    folders = new Map([...kept.keys()].map((path) => [path, realpathSync(dirname(path))]));
    names = new Set(namesIn(project));
  };
  return {
    watch,
    repair() {
      const changed = [...kept].flatMap(([path, content]) => {
        const [now] = contentOf(path);
        if (now?.equals(content) === true) return [];
        // The user may have made the change, so only a deleted file is restored.
        return `${displayPath(path)} (${now === undefined ? restore(path, content, folders.get(path)) : "changed: look at it"})`;
      });
      // Ralph writes to its own.
      const added = namesIn(project).filter((name) => name !== ".ralph" && !names.has(name));
      watch();
      return [...changed, ...added.map((name) => `${name} (new: look at it)`)];
    },
    restoreLost: () => [],
  };
}

/** @param folder where it was, without links: the agent may have laid one in place of the folder, and lead ralph anywhere */
function restore(path: string, content: Buffer, folder: string | undefined): string {
  try {
    if (realpathSync(dirname(path)) !== folder) return "it is gone, and its folder is another one now";
    forceWriteFile(path, content);
    return "it was gone; put back";
  } catch (error) {
    return `it is gone, and cannot be put back: ${reasonOf(error)}`;
  }
}

/** The content in a list; empty if the file is unreadable. */
function contentOf(path: string): Buffer[] {
  try {
    return [readRegular(path)];
  } catch {
    return [];
  }
}
