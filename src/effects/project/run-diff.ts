/** What a run changed: from commits, else the work tree, else what the agent's tools reported. */

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  type Checkpoint,
  changedBetween,
  type IterationRange,
  watchCheckpoints,
} from "../../core/checkpoints/checkpoint-list.ts";
import { type Content, diffFiles, type FileChange, type FileDiff, MAX_DIFF_BYTES } from "../../core/diff/file-diff.ts";
import { type DiffPart, type DiffScope, diffScope, type RunDiff } from "../../core/diff/run-diff.ts";
import { toolDiffs } from "../../core/diff/tool-edits.ts";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { foldsCase } from "../../core/project-path.ts";
import { readCheckpoints } from "../checkpoints/read-checkpoints.ts";
import { readRegular } from "../files/regular-file.ts";
import { GITLINK, modeOf, SKIP_WORKTREE } from "../git/index-file.ts";
import { encodePath } from "../git/names.ts";
import { createObjectReader } from "../git/read-object.ts";
import type { Tracked } from "../git/tracked.ts";
import { createTreeReader, type TreeReader } from "../git/trees.ts";
import { filesBelow, LINK, SUBMODULE } from "../snapshot/folder-state.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { createLook, type Look } from "../snapshot/look.ts";
import { RALPH_DIR } from "./project-paths.ts";
import { createWorkspace } from "./workspace.ts";

export type RunDiffOptions = {
  run: string;
  events: Iterable<RalphEvent>;
  /** Null for the whole run. */
  range: IterationRange | null;
  /** Only the newest run's work can still lie in the work tree. */
  isNewest: boolean;
  projectDir: string;
  env: EnvVars;
};

/**
 * Finds what a run changed, in the order of trust: the commits between HEAD at its beginning and its end; for the newest run
 * the work tree against HEAD; and for what neither tells, the edits that the agent's tools reported. Reads only.
 * @returns null if the run has no such iteration
 */
export async function readRunDiff(options: RunDiffOptions): Promise<RunDiff | null> {
  const { run, events, range, isNewest, projectDir, env } = options;
  const { through, history } = watchCheckpoints();
  const scope = diffScope(through(events), range);
  if (scope === null) return null;
  const project = realpathSync(projectDir);
  const repository = openRepository(project, env);
  const iteration = range !== null && range.first === range.last ? range.first : null;
  const looksAtTree = isNewest && scope.isLast;
  const between = changedBetween(history(), range);
  const kept =
    between === null || (between.to === null && !looksAtTree)
      ? null
      : await keptPart({ project, env, ...between, commits: scope.commits, subject: repository?.subject });
  if (kept !== null) return { run, iteration, commits_unreadable: false, parts: [kept].filter(hasContent) };
  const end = scope.isOpen && looksAtTree ? (repository?.head ?? null) : scope.end;
  const committed = await committedPart(repository, scope, end);
  const uncommitted = looksAtTree ? await workTreePart(repository) : null;
  // A person who committed the run's work after its end took it out of the work tree.
  const isWhole = uncommitted !== null && repository?.head === end && committed !== "unreadable";
  const parts = [committed === "unreadable" ? null : committed, uncommitted].filter((part) => part !== null);
  const told = new Set(parts.flatMap(({ files }) => files.flatMap(({ path, from }) => [path, from])));
  const reported = isWhole ? [] : reportedFiles(scope, told);
  if (reported.length > 0) parts.push({ source: "tools", commits: [], files: reported });
  return { run, iteration, commits_unreadable: committed === "unreadable", parts: parts.filter(hasContent) };
}

/**
 * What differs between two checkpoints, or since one.
 * @returns null if one of them cannot be read any more
 */
async function keptPart({
  project,
  env,
  from,
  to,
  commits,
  subject,
}: {
  project: string;
  env: EnvVars;
  from: Pick<Checkpoint, "commit">;
  to: Pick<Checkpoint, "commit"> | null;
  commits: readonly string[];
  subject: Opened["subject"] | undefined;
}): Promise<DiffPart | null> {
  const look = createLook(project, { env, inside: true });
  const place = look.locate();
  const reader = readCheckpoints(place, join(project, RALPH_DIR), env);
  try {
    const changes =
      to === null
        ? await changesSince({ look, place, project, reader }, from.commit, "")
        : await changesBetween(reader, from.commit, to.commit, "");
    const lacks = await reader.leftOut(from.commit);
    const named = [];
    for (const id of commits) named.push({ id, subject: (await subject?.(id)) ?? null });
    const known = changes.filter(({ path, before }) => before !== null || !lacks.has(path));
    return { source: "checkpoints", commits: named, files: diffFiles(known) };
  } catch {
    return null; // pruned: what else is known of the run stands in
  }
}

/**
 * What differs between two checkpoints.
 * @param to null for the files as they are now
 * @throws RalphError `environment` if one of them cannot be read any more
 */
export async function readCheckpointDiff(
  projectDir: string,
  env: EnvVars,
  from: Checkpoint,
  to: Checkpoint | null,
): Promise<RunDiff> {
  const project = realpathSync(projectDir);
  const part = await keptPart({ project, env, from, to, commits: [], subject: undefined });
  if (part === null)
    throw new RalphError("environment", "One of these checkpoints is gone.", {
      hint: "See which are left with: ralph checkpoints",
    });
  return { run: from.run, iteration: null, commits_unreadable: false, parts: [part].filter(hasContent) };
}

function hasContent({ files, commits }: DiffPart): boolean {
  return files.length > 0 || commits.length > 0;
}

function reportedFiles({ tools, project, keep }: DiffScope, told: ReadonlySet<string | null>): FileDiff[] {
  const folder = { project, foldCase: foldsCase(process.platform) };
  return toolDiffs(tools, folder, (path, iteration) => !told.has(path) && keep(path, iteration));
}

type Opened = {
  look: Look;
  place: ProjectLocation;
  project: string;
  head: string | null;
  reader: TreeReader;
  subject(commit: string): Promise<string | null>;
};

/** The repository of a project; null if there is none. */
function openRepository(project: string, env: EnvVars): Opened | null {
  // A commit has no files of repositories inside.
  const look = createLook(project, { env, inside: false });
  const place = look.locate();
  if (place.repository === null) return null;
  const workspace = createWorkspace(project, { env });
  const format = place.settings.objectFormat === "sha256" ? "sha256" : "sha1";
  const reader = createTreeReader(createObjectReader(place.repository, format, env), place.tracked.width);
  return { look, place, project, head: workspace.head(), reader, subject: workspace.subject };
}

async function committedPart(
  opened: Opened | null,
  { base, commits }: DiffScope,
  end: string | null,
): Promise<DiffPart | "unreadable" | null> {
  if (end === null || base === end) return null;
  if (opened === null) return "unreadable";
  const { reader, place, subject } = opened;
  try {
    const changes = await changesBetween(reader, base, end, place.prefix);
    const named = [];
    for (const id of commits) named.push({ id, subject: await subject(id) });
    return { source: "commits", commits: named, files: diffFiles(changes) };
  } catch {
    return "unreadable"; // rewritten and collected history: told as commits_unreadable
  }
}

/** @param prefix of the project in both @throws Error if an object cannot be read */
async function changesBetween(
  reader: TreeReader,
  from: string | null,
  to: string,
  prefix: string,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const [path, { old, now }] of await reader.differences(from, to, prefix)) {
    const before = old === null ? null : await reader.content(old);
    const after = now === null ? null : await reader.content(now);
    changes.push({ path: path.toWellFormed(), before, after });
  }
  return changes;
}

/** The files that differ from HEAD, as a snapshot counts them; null if HEAD cannot be read. */
async function workTreePart(opened: Opened | null): Promise<DiffPart | null> {
  if (opened === null) return null;
  try {
    const files = diffFiles(await changesSince(opened, opened.head, opened.place.prefix));
    return { source: "work_tree", commits: [], files };
  } catch {
    return null; // what the tools reported stands in
  }
}

/** @param prefix of the project in that commit @throws Error if an object or a file cannot be read */
async function changesSince(
  { look, place, project, reader }: Pick<Opened, "look" | "place" | "project" | "reader">,
  commit: string | null,
  prefix: string,
): Promise<FileChange[]> {
  const known = await reader.differences(null, commit, prefix);
  const present = filesBelow(look.files(place, Date.now()));
  const changes: FileChange[] = [];
  for (const path of new Set([...known.keys(), ...present.keys()])) {
    const old = known.get(path)?.now ?? null;
    const now = present.get(path) ?? null;
    if (now === (old && `${old.mode} ${old.oid}`) || (now === null && !isDeleted(path, place))) continue;
    // A file too large to hash is taken as unchanged, as for uncommitted work.
    if (old !== null && now?.includes(" stat:") === true) continue;
    const before = old === null ? null : await reader.content(old);
    const after = now === null ? null : contentOnDisk(project, path, now, before);
    changes.push({ path: path.toWellFormed(), before, after });
  }
  return changes;
}

/** Whether a file of HEAD that no snapshot has was deleted: ralph's own and those outside a sparse checkout are not. */
function isDeleted(path: string, { prefix, tracked }: { prefix: string; tracked: Tracked }): boolean {
  if (path.startsWith(".ralph/")) return false;
  const whole = prefix + path;
  const slash = whole.lastIndexOf("/") + 1;
  const entry = tracked.folders.get(whole.slice(0, slash))?.files.get(whole.slice(slash));
  return entry === undefined || (modeOf(entry) !== GITLINK && (entry.flags & SKIP_WORKTREE) === 0);
}

/** @param state mode and content id, as `filesBelow` gives them */
function contentOnDisk(project: string, path: string, state: string, before: Content | null): Content {
  const [mode = "", id = ""] = state.split(" ", 2);
  const name = encodePath(`${project}/${path}`);
  if (mode === SUBMODULE.toString(8)) return { bytes: new TextEncoder().encode(`Subproject commit ${id}\n`), mode, id };
  if (mode === LINK.toString(8)) return { bytes: readlinkSync(name, { encoding: "buffer" }), mode, id };
  if (lstatSync(name).size > MAX_DIFF_BYTES) return { bytes: null, mode, id };
  return { bytes: asStored(readRegular(name), before), mode, id };
}

/** Git may check out Windows line ends for a file that it keeps without them. */
function asStored(bytes: Buffer, before: Content | null): Uint8Array {
  const text = bytes.toString("latin1");
  const isConverted = before?.bytes != null && !before.bytes.includes(13) && !/(?<!\r)\n/.test(text);
  return isConverted ? Buffer.from(text.replaceAll("\r\n", "\n"), "latin1") : bytes;
}
