import type { SandboxNeeds } from "../../driver.ts";

/** What a sandboxed agent sees of a path: `empty` is a folder of its own that is gone after the call, `hidden` an empty file. */
export type Show = "read-only" | "writable" | "empty" | "hidden";

/**
 * `from` stands there instead of what is there outside. `mayGo`: ralph may remove it before it is mounted, as it does with files
 * of its state; an empty one of the agent's own is there then.
 */
export type Mount = { path: string; show: Show; from?: string; mayGo?: true };

/** Where an agent works. Paths are absolute and without links. */
export type SandboxPlace = {
  project: string;
  home: string;
  /** Folders of the PATH, and where the agent's program really is. */
  programs: readonly string[];
  /** The repository around the project: the folder of this working tree, and the shared one. */
  repository: { gitDir: string; commonDir: string } | null;
  /** What the repository's settings make git outside obey, where the agent could write it: hooks, settings, programs. */
  obeyed: readonly string[];
  /** What the agent keeps up to date below `.ralph/`: plan, agent file, specs. */
  work: readonly string[];
  /** The folder that stands in place of `.ralph`, with the files of `work` that lie directly in it. */
  room: string;
  /** Names in `.ralph`. */
  names: readonly string[];
  /** What it may only read in the project: gate files, settings. */
  fixed: readonly string[];
  /** What it sees of its own folders and files of which not all may be changed. */
  own: readonly Mount[];
  needs: SandboxNeeds;
};

/** What stands at a path: null for nothing, and for a link. */
export type KindOf = (path: string) => "file" | "folder" | null;

/** Folders of tool chains below the home, without those that keep credentials. */
const TOOL_CHAINS = [
  ".rustup",
  ".pyenv",
  ".nvm",
  ".bun",
  ".deno",
  ".volta",
  ".asdf",
  ".sdkman",
  ".opencode/bin",
  ".local/lib",
  ".local/share/mise",
  ".local/share/claude",
  ".local/share/pnpm",
  ".local/share/uv",
  ".cache/ms-playwright",
  "go/bin",
  ".gitconfig",
  ".config/git/config",
  ".config/git/ignore",
] as const;

/** Secrets of the system that a user with all rights could read. */
const SECRETS = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/krb5.keytab"];

/** Entries of a git folder that make git run something. */
const GIT_FIXED = ["config", "config.worktree", "hooks", "info", "modules", "commondir", "gitdir"];

/** What an agent may touch and see; everything else is not there. Parents come before what lies in them. */
export function sandboxMounts(place: SandboxPlace, kindOf: KindOf): Mount[] {
  const mounts = new Map<string, Show>();
  const show = (how: Show, paths: readonly string[]) => {
    for (const path of paths) if (kindOf(path) !== null) mounts.set(path, how);
  };
  const { project, home, repository, needs } = place;
  show(
    "read-only",
    place.programs.filter((path) => !isWithin(path, "/usr")),
  );
  show("hidden", SECRETS);
  show("empty", ["/etc/ssh", "/etc/ssl/private", home]);
  show(
    "read-only",
    TOOL_CHAINS.map((name) => `${home}/${name}`),
  );
  show("writable", needs.state);
  for (const { path, show: how } of place.own) mounts.set(path, how);
  show("writable", [project]);
  const fixed = [...place.fixed, ...place.obeyed, ...needs.fixed, `${project}/.git`];
  show(
    "read-only",
    fixed.filter((path) => kindOf(path) === "file" || path !== `${project}/.git`),
  );
  if (repository !== null) {
    const { gitDir, commonDir } = repository;
    show("writable", [gitDir, commonDir]);
    for (const folder of new Set([gitDir, commonDir]))
      show(
        "read-only",
        GIT_FIXED.map((name) => `${folder}/${name}`),
      );
    // Those of other worktrees; its own lies deeper, and stays writable.
    show("read-only", [`${commonDir}/worktrees`]);
  }
  const ralph = `${project}/.ralph`;
  const inRoom = place.work.filter((path) => parentOf(path) === ralph && kindOf(path) === "file");
  show("writable", [ralph]);
  show(
    "read-only",
    place.names.map((name) => `${ralph}/${name}`).filter((path) => !inRoom.includes(path)),
  );
  show(
    "writable",
    place.work.filter((path) => !inRoom.includes(path)),
  );
  // A folder on the way to a fixed file is a mount of its own: it cannot be renamed and replaced by another.
  for (const path of fixed.filter((one) => kindOf(one) !== null))
    for (let above = parentOf(path); isWithin(above, project) && above !== project; above = parentOf(above))
      if (!mounts.has(above)) mounts.set(above, "writable");
  const sources = new Map([...place.own, { path: ralph, from: place.room }].map(({ path, from }) => [path, from]));
  const passing = new Set(place.names.map((name) => `${ralph}/${name}`).filter((path) => !fixed.includes(path)));
  const source = (from: string | undefined) => (from === undefined ? {} : { from });
  return [...mounts]
    .map(([path, how]) => ({
      path,
      show: how,
      ...source(sources.get(path)),
      ...(passing.has(path) ? { mayGo: true as const } : {}),
    }))
    .sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

/**
 * Paths that nothing stands at and nothing may stand at after a call: git would run what they name. A mount cannot keep them
 * free. A repository that the agent made itself may not lead to another one either.
 */
export function mustStayAbsent({
  project,
  repository,
  obeyed,
  needs,
}: Pick<SandboxPlace, "project" | "repository" | "obeyed" | "needs">): string[] {
  const folders = new Set([
    `${project}/.git`,
    ...(repository === null ? [] : [repository.gitDir, repository.commonDir]),
  ]);
  return [
    ...[...folders].flatMap((folder) =>
      ["commondir", "config", "config.worktree", "gitdir", "hooks", "modules"].map((name) => `${folder}/${name}`),
    ),
    ...obeyed,
    ...needs.fixed,
  ];
}

/** Whether a path is a folder or lies in it, by name. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 1));
}

function depthOf(path: string): number {
  return path.split("/").length;
}
