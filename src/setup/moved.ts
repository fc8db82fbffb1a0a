import type { ProjectFiles } from "./detect/files.ts";
import type { FileAction } from "./scaffold.ts";

/** The project as it will be once files have moved. */
export function afterMoves(files: ProjectFiles, actions: readonly FileAction[]): ProjectFiles {
  const moves = actions.filter((action) => action.kind === "move");
  const sourceOf = (path: string): string | null => {
    for (const { path: from, to } of moves) {
      if (path === to || path.startsWith(`${to}/`)) return from + path.slice(to.length);
      if (path === from || path.startsWith(`${from}/`)) return null;
    }
    return path;
  };
  return {
    exists: (path) => {
      const source = sourceOf(path);
      return source !== null && files.exists(source);
    },
    read: (path) => {
      const source = sourceOf(path);
      return source === null ? null : files.read(source);
    },
    list: (folder) => {
      const source = sourceOf(folder);
      return source === null ? [] : files.list(source);
    },
  };
}
