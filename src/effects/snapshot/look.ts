/** Looks at the files of a project again and again; at a repository inside it as if that were a project itself. */
import { lstatSync, realpathSync } from "node:fs";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { containsPath } from "../files/contains-path.ts";
import { slashPath } from "../files/slash-path.ts";
import { createSettingsReader } from "../git/git-settings.ts";
import { readHead } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { createTrackedReader } from "../git/tracked.ts";
import type { FolderState } from "./folder-state.ts";
import { locateProject, locateRepository, type PlaceReaders, type ProjectLocation } from "./locate-project.ts";
import { createRulesSource } from "./rules.ts";
import { createScan, type InsideLook, type Scan, type ScanListener } from "./scan.ts";

export type LookOptions = {
  env: EnvVars;
  platform?: NodeJS.Platform | undefined;
  /** Whether files count that lie in repositories inside; without them a look sees what git sees. */
  inside: boolean;
  /** Called in each look for whatever is unreadable. */
  warn?: (message: string) => void;
};

export type Look = {
  locate(): ProjectLocation;
  repository(): Repository | null;
  /** @param now epoch ms from before the first file is examined */
  files(place: ProjectLocation, now: number, listener?: ScanListener): FolderState;
};

/** Reads nothing before the first call. @param folder the project's, absolute, links resolved */
export function createLook(folder: string, options: LookOptions): Look {
  return lookAt(folder, options, null);
}

/**
 * How far a repository inside is trusted. An agent may have made it, and checkpoints keep the rules that ignore files: those that it leads to
 * outside could be anything that its user may read.
 */
type Trust = {
  /** The user's own ignore file, whichever the repository names. */
  excludesFile: string | null;
  /** Other rules count from below these folders only. */
  within: readonly string[];
};

function lookAt(folder: string, options: LookOptions, trust: Trust | null): Look {
  const { env, platform = process.platform, inside, warn = () => {} } = options;
  const read = createSettingsReader(env, platform === "win32");
  const rules = memoLast((ignoreCase: boolean) => createRulesSource(ignoreCase, warn));
  const readers: PlaceReaders = {
    settings: (repository) =>
      trust === null ? read(repository) : { ...read(repository), excludesFile: trust.excludesFile },
    tracked: createTrackedReader((path) => lstatSync(path).mtimeMs, warn),
    rules: (repository, { ignoreCase }) => rules(`${repository?.gitDir} ${ignoreCase}`, ignoreCase),
    obeys: (file) => trust === null || leadsInto(file, trust.within),
  };
  // After a change of repository or of its content ids, earlier scans are useless.
  const scans = memoLast((prefix: string): Scan => createScan(folder, prefix, warn));
  return {
    locate: () => locateProject(folder, readers),
    repository: () => locateRepository(folder, readers),
    files(place, now, listener = {}) {
      const { repository, prefix, settings } = place;
      const scan = scans(JSON.stringify([repository, settings.objectFormat, settings.fileMode]), prefix);
      const input = { ...place, plain: repository === null, now, ...listener };
      if (!inside) return scan(input);
      const openInside = (path: string) =>
        lookInside(
          path,
          { ...options, warn: (message) => warn(`${slashPath(folder, path)}: ${message}`) },
          {
            excludesFile: settings.excludesFile,
            within: [path, ...(trust?.within ?? []), ...foldersOf(repository)],
          },
        );
      return scan({ ...input, openInside });
    },
  };
}

/** No program is started for it: its settings would have their say. */
function lookInside(path: string, options: LookOptions, trust: Trust): InsideLook {
  const look = lookAt(path, options, trust);
  return (now, listener) => {
    const place = look.locate();
    listener.onInside?.("", place);
    const { repository, prefix } = place;
    // Its `.git` may be gone by now: then these are files of the repository around it.
    const head = repository === null || prefix !== "" ? null : readHead(repository).oid;
    return { head, state: look.files(place, now, listener) };
  };
}

function foldersOf(repository: Repository | null): string[] {
  return repository === null ? [] : [repository.gitDir, repository.commonDir];
}

function leadsInto(file: string, folders: readonly string[]): boolean {
  try {
    const real = realpathSync(file);
    return folders.some((folder) => containsPath(realpathSync(folder), real));
  } catch {
    return false; // there is none
  }
}

/** Caches the last value while its key stays the same. */
function memoLast<Argument, Value>(make: (argument: Argument) => Value): (key: string, argument: Argument) => Value {
  let last: { key: string; value: Value } | null = null;
  return (key, argument) => {
    if (last?.key !== key) last = { key, value: make(argument) };
    return last.value;
  };
}
