import type { Entry } from "./detect/files.ts";
import type { FileAction } from "./scaffold.ts";

/**
 * The files of the flat layout at the project's root (as in `ralph-migrate` of the bash original). Each takes the same
 * name below `.ralph/`.
 */
const FILES = [
  ...["PROMPT.md", "@fix_plan.md", "fix_plan.md", "@AGENT.md", "AGENT.md", ".ralphrc"],
  ...["status.json", "progress.json", ".call_count", ".last_reset", ".exit_signals", ".response_analysis"],
  ...[".circuit_breaker_state", ".circuit_breaker_history"],
  ...[".claude_session_id", ".ralph_session", ".ralph_session_history"],
];

/** Folders move only out of a flat layout: elsewhere `specs` or `logs` belong to the project itself. */
const FOLDERS = ["specs", "examples", "logs", "docs/generated"];

type Tree = { exists(path: string): boolean; list(folder: string): readonly Entry[] };

/**
 * The moves that bring an old layout into `.ralph/`. Nothing is overwritten: a file stays if its new name is taken, and
 * a folder that exists on both sides is merged file by file.
 * @param kind the layout found; in a project with `.ralph` only `.ralphrc` moves
 */
export function planMigration(kind: "none" | "partial" | "ralph" | "flat", files: Tree): FileAction[] {
  const isFlat = kind === "flat";
  const single = isFlat ? FILES : [".ralphrc"];
  return [
    ...single.filter((path) => files.exists(path)).map((path) => moveOrKeep(path, `.ralph/${path}`, files)),
    ...(isFlat ? FOLDERS : []).flatMap((path) =>
      files.list(path).length > 0 ? moveFolder(path, `.ralph/${path}`, files) : [],
    ),
  ];
}

function moveOrKeep(from: string, to: string, files: Tree): FileAction {
  if (files.exists(to)) return { kind: "keep", path: from, why: `${to} already exists` };
  return { kind: "move", path: from, to, why: "the old place" };
}

function moveFolder(from: string, to: string, files: Tree): FileAction[] {
  if (!isFolder(to, files)) return [moveOrKeep(from, to, files)];
  return files.list(from).flatMap(({ name, kind }) => {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    return kind === "folder" ? moveFolder(source, target, files) : [moveOrKeep(source, target, files)];
  });
}

function isFolder(path: string, files: Tree): boolean {
  const cut = path.lastIndexOf("/");
  return files
    .list(path.slice(0, Math.max(0, cut)))
    .some(({ name, kind }) => kind === "folder" && name === path.slice(cut + 1));
}

/** Whether a prompt written for the flat layout still names its places. */
export function namesOldPlaces(prompt: string): boolean {
  return /(?<![\w/.])(?:specs\/|@fix_plan\.md|@AGENT\.md|logs\/)/.test(prompt);
}
