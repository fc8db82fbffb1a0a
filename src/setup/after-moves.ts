import { type Entry, type ProjectFiles, pathIn } from "./detect/files.ts";
import type { FileAction } from "./scaffold.ts";

/** The project's files as they will be once the moves are done. */
export function afterMoves(files: ProjectFiles, actions: readonly FileAction[]): ProjectFiles {
  const moves = actions.filter((action) => action.kind === "move");
  const sourceOf = (path: string): string | null => {
    for (const { path: from, to } of moves) {
      if (path === to || path.startsWith(`${to}/`)) return from + path.slice(to.length);
      if (path === from || path.startsWith(`${from}/`)) return null;
    }
    return path;
  };
  const isMoved = (path: string) => moves.some(({ path: from }) => path === from);
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
      const unmoved =
        source === null
          ? []
          : files.list(source).filter(({ name }) => source !== folder || !isMoved(pathIn(folder, name)));
      const came = moves.filter(({ to }) => parentOf(to) === folder).map((move) => movedEntry(move, files));
      return [...unmoved, ...came].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function movedEntry({ path, to }: { path: string; to: string }, files: ProjectFiles): Entry {
  const was = files.list(parentOf(path)).find(({ name }) => pathIn(parentOf(path), name) === path);
  return { name: to.slice(to.lastIndexOf("/") + 1), kind: was?.kind ?? "file" };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
