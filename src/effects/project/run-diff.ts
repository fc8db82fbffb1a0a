/** What a run changed: from commits, else the work tree, else what the agent's tools reported. */

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Content, diffFiles, type FileChange, type FileDiff, MAX_DIFF_BYTES } from "../../core/diff/file-diff.ts";
import { type DiffPart, type DiffScope, diffScope, type RunDiff } from "../../core/diff/run-diff.ts";
import { toolDiffs } from "../../core/diff/tool-edits.ts";
import type { EnvVars } from "../../core/env-vars.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { foldsCase } from "../../core/project-path.ts";
import { readRegular } from "../files/regular-file.ts";
import { createSettingsReader } from "../git/git-settings.ts";
import { GITLINK, modeOf, SKIP_WORKTREE } from "../git/index-file.ts";
import { encodePath } from "../git/names.ts";
import { createTrackedReader, type Tracked } from "../git/tracked.ts";
import { createTreeReader, type TreeReader } from "../git/trees.ts";
import { filesBelow, LINK, SUBMODULE } from "../snapshot/folder-state.ts";
import { locateProject, type ProjectLocation } from "../snapshot/locate-project.ts";
import { createRulesSource } from "../snapshot/rules.ts";
import { createScan } from "../snapshot/scan.ts";
import { createWorkspace } from "./workspace.ts";

export type RunDiffOptions = {
  run: string;
  events: Iterable<RalphEvent>;
  /** Null for the whole run. */
  iteration: number | null;
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
  const { run, events, iteration, isNewest, projectDir, env } = options;
  const scope = diffScope(events, iteration);
  if (scope === null) return null;
  const repository = openRepository(realpathSync(projectDir), env);
  const looksAtTree = isNewest && scope.isLast;
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

function hasContent({ files, commits }: DiffPart): boolean {
  return files.length > 0 || commits.length > 0;
}

function reportedFiles({ tools, project, keep }: DiffScope, told: ReadonlySet<string | null>): FileDiff[] {
  const folder = { project, foldCase: foldsCase(process.platform) };
  return toolDiffs(tools, folder, (path, iteration) => !told.has(path) && keep(path, iteration));
}

type Opened = {
  place: ProjectLocation;
  project: string;
  head: string | null;
  reader: TreeReader;
  subject(commit: string): Promise<string | null>;
};

/** The repository of a project; null if there is none whose objects can be read here. */
function openRepository(project: string, env: EnvVars): Opened | null {
  const place = locateProject(project, {
    settings: createSettingsReader(env, process.platform === "win32"),
    tracked: createTrackedReader(
      (path) => lstatSync(path).mtimeMs,
      () => {},
    ),
    rules: (_, { ignoreCase }) => createRulesSource(ignoreCase),
  });
  if (place.repository === null || place.settings.objectFormat !== "sha1") return null;
  const workspace = createWorkspace(project, { env });
  const reader = createTreeReader(place.repository);
  return { place, project, head: workspace.head(), reader, subject: workspace.subject };
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
    const differing = await reader.differences(base, end, place.prefix);
    const changes: FileChange[] = [];
    for (const [path, { old, now }] of differing) {
      const [before, after] = [
        old === null ? null : await reader.content(old),
        now === null ? null : await reader.content(now),
      ];
      changes.push({ path, before, after });
    }
    const named = [];
    for (const id of commits) named.push({ id, subject: await subject(id) });
    return { source: "commits", commits: named, files: diffFiles(changes) };
  } catch {
    return "unreadable"; // rewritten and collected history: told as commits_unreadable
  }
}

/** The files that differ from HEAD, as a snapshot counts them; null if HEAD cannot be read. */
async function workTreePart(opened: Opened | null): Promise<DiffPart | null> {
  if (opened === null) return null;
  const { place, project, head, reader } = opened;
  try {
    const known = await reader.differences(null, head, place.prefix);
    const scan = createScan(project, place.prefix, () => {});
    const present = filesBelow(scan({ ...place, plain: false, now: Date.now() }));
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
    return { source: "work_tree", commits: [], files: diffFiles(changes) };
  } catch {
    return null; // what the tools reported stands in
  }
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
  const file = join(project, path);
  const name = path.isWellFormed() ? file : encodePath(file);
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
