import type { FileChange } from "../compare.ts";
import { covers, lastOf } from "./path-patterns.ts";

/** So many patterns, and files that each took, are looked at. */
const MOST = 20;

/** Files around a configuration, as paths from its folder. */
export type Moves = {
  gone: readonly string[];
  come: readonly string[];
  /** Those of the gates that stay as they are; null if nobody knows. */
  kept: readonly string[] | null;
};

export function movesAround(path: string, changes: readonly FileChange[], kept: readonly string[] | null): Moves {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const within = (paths: readonly string[]) =>
    paths.flatMap((one) => (one.startsWith(folder) ? [one.slice(folder.length)] : []));
  return {
    gone: within(changes.flatMap((one) => (one.after === null ? [one.path] : []))),
    come: within(changes.flatMap((one) => (one.before === null ? [one.path] : []))),
    kept: kept === null ? null : within(kept),
  };
}

/**
 * Which of the patterns that are gone took nothing but what others take now, because these are wider or because the files moved.
 * Where files may have stayed behind, none of them did.
 */
export function takenByOthers(gone: readonly string[], now: readonly string[], moves: Moves): Set<string> {
  const others = now.filter((one) => !one.startsWith("!")).slice(0, MOST);
  const isTaken = (path: string) => others.some((one) => covers(one, path));
  const come = Map.groupBy(moves.come, stem);
  const isMoved = (pattern: string) => {
    const were = moves.gone.filter((path) => covers(pattern, path)).slice(0, MOST);
    return (
      were.length > 0 &&
      were.every((path) => come.get(stem(path))?.slice(0, MOST).some(isTaken)) &&
      moves.kept?.every((path) => !covers(pattern, path) || isTaken(path)) === true
    );
  };
  return new Set(gone.slice(0, MOST).filter((one) => isTaken(one) || isMoved(one)));
}

/** What a file is about: it may move, and say in another way that it is a test. */
function stem(path: string): string {
  return lastOf(path).replace(/^(?:tests?|check|spec)[_-]|[._-]?(?:tests?|spec|e2e|cy)?(?:\.[^.]+)?$/gi, "");
}
