/** The project's files and its repository as the loop sees them; only rare formats need a git program. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { statThere } from "../files/stat-there.ts";
import { createGitBinary } from "../git/binary.ts";
import { commitsBetween, subjectOf } from "../git/commits.ts";
import { createHeadReader } from "../git/head.ts";
import type { Head } from "../git/refs.ts";
import type { Snapshot, Workspace, WorkspaceChange } from "../ports.ts";
import { changedPaths } from "../snapshot/changed-paths.ts";
import { createDigest } from "../snapshot/digest.ts";
import { type FolderState, filesBelow, headsBelow } from "../snapshot/folder-state.ts";
import type { ProjectLocation } from "../snapshot/locate-project.ts";
import { createLook } from "../snapshot/look.ts";

export type WorkspaceOptions = {
  env?: EnvVars;
  platform?: NodeJS.Platform;
  /** Epoch ms, from the clock that stamps files. */
  now?: () => number;
};

/** A workspace that also lists its files. */
export type ProjectWorkspace = Workspace & {
  /** Every file that counts, by its path from the project, with what identifies its content and mode. */
  files(snapshot: Snapshot): ReadonlyMap<string, string>;
  /** What a snapshot saw. */
  seen(snapshot: Snapshot): SeenTree;
  locate(): ProjectLocation;
};

/** The files of a project, HEAD, and the repository around them at one moment. */
export type SeenTree = {
  head: string | null;
  root: FolderState;
  place: ProjectLocation;
  /** Folders with another checkout of the project's repository, whose files do not count: paths from the project, ending in "/". */
  nested: readonly string[];
  /** The repositories inside whose files count, by the paths of their folders from the project, ending in "/". */
  inside: ReadonlyMap<string, ProjectLocation>;
  /** Folders whose `.gitignore` counts as a rule, and as no file of the project: it ignores itself. Paths as those above. */
  hiddenRules: readonly string[];
};

/**
 * Opens the workspace of one project (product.md "Progress"). Reads nothing before the first call and never writes. Ignored
 * paths, `.git` and `.ralph` never count, nor `node_modules` outside a repository. Files of repositories inside do, unless those are ignored.
 * @param projectDir an existing folder; files outside it do not count, but HEAD of its repository does
 */
export function createWorkspace(projectDir: string, options: WorkspaceOptions = {}): ProjectWorkspace {
  const { env = process.env, platform = process.platform, now = Date.now } = options;
  const project = realpathSync(projectDir);
  const warnings: string[] = [];
  const warn = (message: string): void => {
    if (!warnings.includes(message)) warnings.push(message);
  };
  const git = createGitBinary(env);
  const readHead = createHeadReader(git, warn);
  const look = createLook(project, { env, platform, inside: true, warn });
  const headOf = ({ repository, settings }: ProjectLocation): Head =>
    repository === null ? { oid: null, branch: null } : readHead(repository, settings);
  const digest = createDigest();
  const taken = new WeakMap<Snapshot, SeenTree>();
  const open = (snapshot: Snapshot): SeenTree => {
    const found = taken.get(snapshot);
    if (found === undefined) throw new TypeError("a snapshot of another workspace");
    return found;
  };

  const hasCommitInside = async (old: SeenTree, current: SeenTree): Promise<boolean> => {
    if (current.inside.size === 0) return false;
    const before = headsBelow(old.root);
    for (const [path, after] of headsBelow(current.root)) {
      const head = before.get(path);
      const { repository = null, settings } = current.inside.get(`${path}/`) ?? {};
      if (head === undefined || head === after || repository === null || settings === undefined) continue;
      if ((await commitsBetween(repository, settings, git, head, after)).length > 0) return true;
    }
    return false;
  };

  return {
    warnings,
    get isGitRepository() {
      return look.repository() !== null;
    },
    head: () => headOf(look.locate()).oid,
    branch: () => headOf(look.locate()).branch,
    indexLock() {
      const repository = look.repository();
      if (repository === null) return null;
      const path = join(repository.gitDir, "index.lock");
      const since = statThere(path)?.mtimeMs;
      return since === undefined ? null : { path, since };
    },
    async snapshot(): Promise<Snapshot> {
      const place = look.locate();
      const { oid: head, branch } = headOf(place);
      const inside = new Map<string, ProjectLocation>();
      const nested: string[] = [];
      const hiddenRules: string[] = [];
      const root = look.files(place, now(), {
        onNested: (path) => void nested.push(path.slice(place.prefix.length)),
        onInside: (path, one) => void inside.set(path.slice(place.prefix.length), one),
        onHiddenRules: (path) => void hiddenRules.push(path.slice(place.prefix.length)),
      });
      const snapshot: Snapshot = {
        get id() {
          return digest(root);
        },
        head,
        branch,
        isGitRepository: place.repository !== null,
      };
      taken.set(snapshot, { head, root, place, nested, inside, hiddenRules });
      return snapshot;
    },
    async changes(before: Snapshot, after: Snapshot): Promise<WorkspaceChange> {
      const [old, current] = [open(before), open(after)];
      const files = changedPaths(old.root, current.root).map((path) => path.toWellFormed());
      const changed = { files, ...((await hasCommitInside(old, current)) ? ({ committedInside: true } as const) : {}) };
      if (old.head === current.head) return { ...changed, commits: [], headMoved: false };
      const { repository, settings } = look.locate();
      if (repository === null || current.head === null) return { ...changed, commits: [], headMoved: true };
      const commits = await commitsBetween(repository, settings, git, old.head, current.head);
      return { ...changed, commits, headMoved: true };
    },
    seen: open,
    locate: look.locate,
    files: (snapshot) => filesBelow(open(snapshot).root),
    async subject(commit: string): Promise<string | null> {
      const { repository, settings } = look.locate();
      return repository === null ? null : subjectOf(repository, settings, git, commit);
    },
    fingerprint: (snapshot) => digest(open(snapshot).root),
  };
}
