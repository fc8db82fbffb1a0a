import { count } from "../core/text/count.ts";
import { mergePlan } from "./plan/merge.ts";
import type { Task } from "./plan/task.ts";
import type { Places, ScaffoldFile } from "./scaffold-files.ts";
import {
  type Digest,
  formatScaffoldRecord,
  readScaffoldRecord,
  SCAFFOLD_RECORD_FILE,
  shippedHash,
} from "./scaffold-record.ts";

/** The action for one file. `why` is shown to the user; a `backup` is made before any user's file changes or goes. */
export type FileAction =
  | {
      kind: "create" | "update" | "merge" | "replace";
      path: string;
      content: string;
      backup: boolean;
      why: string;
      /** The user's own template that the content is made from. */
      template?: string;
      executable?: boolean;
      /** Of a link, what it leads to is changed: a linked plan stays one. */
      follows?: boolean;
    }
  | { kind: "keep"; path: string; why: string }
  | { kind: "move"; path: string; to: string; why: string }
  | { kind: "remove"; path: string; backup: boolean; why: string }
  /** `from`: a backup, which takes its old place again. */
  | { kind: "restore"; path: string; from: string; backup: boolean; why: string };

export type ExistingFiles = {
  exists(path: string): boolean;
  /** Null for an existing path that cannot be read as text. */
  read(path: string): string | null;
};

export type ScaffoldRequest = {
  files: readonly ScaffoldFile[];
  places: Places;
  /** Tasks for an existing plan. */
  tasks: readonly Task[];
  /** Changes an existing settings file. */
  changeSettings(text: string): string;
  force: boolean;
  version: string;
};

/**
 * The actions that give a project its files. Pure, which allows a preview; a repetition does no harm. An existing file
 * stays, unless it is unedited since ralph wrote it; `force` replaces ralph's own files.
 */
export function planScaffold(request: ScaffoldRequest, existing: ExistingFiles, digest: Digest): FileAction[] {
  const before = readScaffoldRecord(existing.read(SCAFFOLD_RECORD_FILE));
  const shipped: Record<string, string> = { ...before };
  const actions = request.files.map((file): FileAction => {
    const action = actionFor(file, request, existing, (text) => before[file.path] === shippedHash(digest, text));
    const isTheirs = action.kind === "merge" && file.merge !== undefined;
    // A file from an earlier setup that was killed is also ours.
    const isFresh = "content" in action ? !isTheirs : isSame(existing.read(file.path), file.content);
    if (isFresh && file.ours) shipped[file.path] = shippedHash(digest, file.content);
    else if ("content" in action) delete shipped[file.path];
    return "content" in action && action.content === file.content && file.template !== undefined
      ? { ...action, template: file.template }
      : action;
  });
  return [...actions, ...recordOf(shipped, before, existing, request.version)];
}

/** Whether any action changes a file. */
export function changesAnything(actions: readonly FileAction[]): boolean {
  return actions.some(({ kind }) => kind !== "keep");
}

function actionFor(
  file: ScaffoldFile,
  { places, tasks, changeSettings, force }: ScaffoldRequest,
  existing: ExistingFiles,
  isAsShipped: (text: string) => boolean,
): FileAction {
  const { path, content, about = "new" } = file;
  if (!existing.exists(path)) return { kind: "create", path, content, backup: false, why: about };
  const text = existing.read(path);
  if (text === null) return { kind: "keep", path, why: "already there, and not readable as text" };
  if (path === places.plan) return planAction(path, text, tasks);
  const unedited = isAsShipped(text);
  if (path === places.settings && !force) {
    const changed = changeSettings(text);
    if (changed !== text)
      return { kind: "merge", path, content: changed, backup: true, why: "with the settings that you named" };
    return { kind: "keep", path, why: "yours" };
  }
  if (isSame(text, content)) return { kind: "keep", path, why: "up to date" };
  if (unedited)
    return { kind: "update", path, content, backup: false, why: "a newer version; the old one was unedited" };
  if (force && isOurs(file, places))
    return { kind: "replace", path, content, backup: true, why: "--force; the old one is kept as a backup" };
  const merged = file.merge?.(text, content) ?? text;
  if (merged !== text)
    return { kind: "merge", path, content: merged, backup: true, why: "yours, with its missing sections added" };
  return { kind: "keep", path, why: "yours" };
}

/** The plan is the project's memory: ralph merges tasks into it and never changes anything else. */
function planAction(path: string, text: string, tasks: readonly Task[]): FileAction {
  const { text: content, added, updated } = mergePlan(text, tasks);
  if (content === text) return { kind: "keep", path, why: tasks.length === 0 ? "yours" : "has these tasks already" };
  return { kind: "merge", path, content, backup: true, why: counted(added.length, updated.length), follows: true };
}

function counted(added: number, updated: number): string {
  const parts = [
    ...(added > 0 ? [`${count(added, "task")} added`] : []),
    ...(updated > 0 ? [`${updated} brought up to date`] : []),
  ];
  return parts.join(", ");
}

/** Equal except for line ends, which git may change. */
function isSame(text: string | null, content: string): boolean {
  return text?.replaceAll("\r\n", "\n") === content;
}

function isOurs({ path, ours }: ScaffoldFile, places: Places): boolean {
  return ours || path === places.agent || path === places.prompt;
}

function recordOf(
  shipped: Record<string, string>,
  before: Readonly<Record<string, string>>,
  existing: ExistingFiles,
  version: string,
): FileAction[] {
  const isSame = JSON.stringify(Object.entries(shipped).sort()) === JSON.stringify(Object.entries(before).sort());
  if (isSame) return [];
  const content = formatScaffoldRecord(version, shipped);
  const kind = existing.exists(SCAFFOLD_RECORD_FILE) ? "update" : "create";
  return [{ kind, path: SCAFFOLD_RECORD_FILE, content, backup: false, why: "which of these ralph may update" }];
}
