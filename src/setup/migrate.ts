import type { Entry } from "./detect/files.ts";
import type { FileAction } from "./scaffold.ts";

/**
 * The files of the flat layout at the project's root, and their new places (as in `ralph-migrate` of the bash
 * original).
 */
const FILES: readonly (readonly [string, string])[] = [
  ["PROMPT.md", ".ralph/PROMPT.md"],
  ["@fix_plan.md", ".ralph/@fix_plan.md"],
  ["fix_plan.md", ".ralph/fix_plan.md"],
  ["@AGENT.md", ".ralph/@AGENT.md"],
  ["AGENT.md", ".ralph/AGENT.md"],
  [".ralphrc", ".ralph/.ralphrc"],
  ["status.json", ".ralph/status.json"],
  ["progress.json", ".ralph/progress.json"],
  [".call_count", ".ralph/.call_count"],
  [".last_reset", ".ralph/.last_reset"],
  [".exit_signals", ".ralph/.exit_signals"],
  [".response_analysis", ".ralph/.response_analysis"],
  [".circuit_breaker_state", ".ralph/.circuit_breaker_state"],
  [".circuit_breaker_history", ".ralph/.circuit_breaker_history"],
  [".claude_session_id", ".ralph/.claude_session_id"],
  [".ralph_session", ".ralph/.ralph_session"],
  [".ralph_session_history", ".ralph/.ralph_session_history"],
];

/** Folders move only out of a flat layout: elsewhere `specs` or `logs` belong to the project itself. */
const FOLDERS: readonly (readonly [string, string])[] = [
  ["specs", ".ralph/specs"],
  ["examples", ".ralph/examples"],
  ["logs", ".ralph/logs"],
  ["docs/generated", ".ralph/docs/generated"],
];

type Tree = { exists(path: string): boolean; list(folder: string): readonly Entry[] };

/**
 * The moves that bring an old layout into `.ralph/`. Nothing is overwritten: a file stays if its new name is taken, and
 * a folder that exists on both sides is merged file by file.
 * @param kind the layout found; in a project with `.ralph` only `.ralphrc` moves
 */
export function planMigration(kind: "none" | "partial" | "ralph" | "flat", files: Tree): FileAction[] {
  const isFlat = kind === "flat";
  const single = isFlat ? FILES : FILES.filter(([from]) => from === ".ralphrc");
  return [
    ...single.flatMap(([from, to]) => (files.exists(from) ? [moveOrKeep(from, to, files)] : [])),
    ...(isFlat ? FOLDERS : []).flatMap(([from, to]) =>
      files.list(from).length > 0 ? moveFolder(from, to, files) : [],
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
