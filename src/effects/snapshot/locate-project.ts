/** The project's position in its repository, and the rules that apply to it from above. */
import { join, relative, sep } from "node:path";
import type { GitSettings } from "../git/git-settings.ts";
import { discoverRepository, type Repository } from "../git/repository.ts";
import type { Tracked, TrackedReader } from "../git/tracked.ts";
import type { Rules, RulesSource } from "./rules.ts";

export type ProjectLocation = {
  /** null: outside every repository, or ignored by the surrounding one. */
  repository: Repository | null;
  /** The project's path from the repository's root, "" or ending in "/". */
  prefix: string;
  settings: GitSettings;
  tracked: Tracked;
  rules: RulesSource;
  outer: Rules;
  /** The repository ignores the project's folder but tracks files in it. */
  ignored: boolean;
};

export type PlaceReaders = {
  settings(repository: Repository | null): GitSettings;
  tracked: TrackedReader;
  /** One source per repository and its settings. */
  rules(repository: Repository | null, settings: GitSettings): RulesSource;
  /** Whether the rules in a file count that lies in a repository's own folder. */
  obeys(file: string): boolean;
};

/** Searches each time, because an agent may create or remove a repository. @param project absolute, links resolved */
export function locateProject(project: string, readers: PlaceReaders): ProjectLocation {
  const repository = discoverRepository(project);
  if (repository === null) return outside(readers);
  const settings = readers.settings(repository);
  const below = relative(repository.root, project);
  const prefix = below === "" ? "" : `${below.split(sep).join("/")}/`;
  const tracked = readers.tracked(repository, settings, prefix);
  const rules = readers.rules(repository, settings);
  const exclude = join(repository.commonDir, "info", "exclude");
  const base = rules.base([settings.excludesFile, readers.obeys(exclude) ? exclude : null]);
  const { outer, ignored } = rulesAbove(repository.root, prefix, base, rules);
  // Typically a home folder in git that ignores all but a few files: not this project's repository.
  const isForeign = ignored && !hasTracked(tracked, prefix);
  return isForeign ? outside(readers) : { repository, prefix, settings, tracked, rules, outer, ignored };
}

/** A project's repository, as `locateProject` finds it: in the root of one nothing above can ignore it, so that less is read. */
export function locateRepository(project: string, readers: PlaceReaders): Repository | null {
  const repository = discoverRepository(project);
  return repository === null || repository.root === project ? repository : locateProject(project, readers).repository;
}

function outside(readers: PlaceReaders): ProjectLocation {
  const settings = readers.settings(null);
  const rules = readers.rules(null, settings);
  const tracked: Tracked = { folders: new Map(), writtenMs: 0, width: 20 };
  return { repository: null, prefix: "", settings, tracked, rules, outer: rules.base([]), ignored: false };
}

function rulesAbove(
  root: string,
  prefix: string,
  base: Rules,
  source: RulesSource,
): { outer: Rules; ignored: boolean } {
  let outer = base;
  let path = "";
  for (const name of prefix.split("/").slice(0, -1)) {
    outer = source.extend(outer, path, join(root, path));
    path += `${name}/`;
    if (outer.ignores(path)) return { outer, ignored: true };
  }
  return { outer, ignored: false };
}

function hasTracked(tracked: Tracked, prefix: string): boolean {
  return tracked.folders.size > 1 || (tracked.folders.get(prefix)?.files.size ?? 0) > 0;
}
