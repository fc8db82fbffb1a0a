import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { containsPath } from "../files/contains-path.ts";
import { fileBehind } from "../files/file-behind.ts";
import { makePrivateFolder, SHARED_FILE } from "../files/private.ts";
import { MAX_FILE_BYTES, readRegular } from "../files/regular-file.ts";
import { sha256Of } from "../files/sha256.ts";
import { slashPath } from "../files/slash-path.ts";
import { statThere } from "../files/stat-there.ts";
import { isTreePath } from "../git/tree-bytes.ts";
import type { GateFiles, Snapshot } from "../ports.ts";
import { moveAside } from "../protect/displace.ts";
import { EXECUTABLE, REGULAR } from "../snapshot/folder-state.ts";
import { lstatOrNull } from "../snapshot/listing.ts";
import { copyTree } from "./tree-copy.ts";

const EXECUTE = 0o111;

export type GateFilesOptions = {
  /** Absolute, links resolved. */
  project: string;
  /** The folder of all runs. */
  runsDir: string;
  filesOf(tree: Snapshot): ReadonlyMap<string, string>;
};

/** The gate files of a project on disk. */
export function createGateFiles({ project, runsDir, filesOf }: GateFilesOptions): GateFiles {
  return {
    list(tree, also = []) {
      const files = filesOf(tree);
      const more = also.flatMap((path): [string, string][] => {
        const id = files.has(path) ? null : idOnDisk(join(project, path));
        return id === null ? [] : [[path, id]];
      });
      return more.length === 0 ? files : new Map([...files, ...more]);
    },
    read: (path, most) => readIfThere(join(project, path), most),
    leadsTo: (path) => fileBehind(project, path),
    write(path, content, id) {
      const target = join(project, path);
      mustLieIn(project, dirname(target), path);
      if (content === null) {
        rmSync(target, { force: true });
        return null;
      }
      const inTheWay = whatStandsInTheWay(project, target);
      const aside = inTheWay === null ? null : moveAside(inTheWay);
      mkdirSync(dirname(target), { recursive: true });
      const isProgram = id !== undefined && Number.parseInt(id, 8) === EXECUTABLE;
      writeFileAtomic(target, content, isProgram ? SHARED_FILE | EXECUTE : SHARED_FILE);
      return aside === null ? null : slashPath(project, aside);
    },
    copyTree: (tree, changes) => copyTree(project, filesOf(tree), changes),
    keep(run, name, text) {
      makePrivateFolder(join(runsDir, run));
      writeFileAtomic(join(runsDir, run, name), text);
      return sha256Of(text);
    },
    kept(run, name, digest) {
      const text = readIfThere(join(runsDir, run, name))?.toString("utf8") ?? null;
      return text === null || (digest !== null && sha256Of(text) !== digest) ? null : text;
    },
  };
}

/**
 * What was frozen may have come with a clone, and name anything.
 * @throws RalphError `environment` if a link on the way leads out of the project, or no tree can have such a file
 */
function mustLieIn(project: string, folder: string, path: string): void {
  if (!isTreePath(path))
    throw new RalphError("environment", `${path} is no name for a file of a gate: nothing is written there.`, {
      hint: "What run froze such a file? See: ralph gates",
    });
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  if (containsPath(realpathSync(project), realpathSync(there))) return;
  throw new RalphError("environment", `${there} is a link that leads out of the project: nothing is written there.`, {
    hint: "Put a real folder in its place.",
  });
}

/** A folder where a file belongs, or what is no folder where its folder belongs; null for none. */
function whatStandsInTheWay(project: string, target: string): string | null {
  if (statThere(target, lstatSync)?.isDirectory() === true) return target;
  let at = dirname(target);
  while (at !== project && statThere(at, lstatSync) === null) at = dirname(at);
  return at === project || statThere(at)?.isDirectory() === true ? null : at;
}

/** Mode and content of a file that no tree shows, in the form of a tree's; null if there is none. */
function idOnDisk(path: string): string | null {
  const bytes = readIfThere(path);
  const mode = bytes === null ? null : (lstatOrNull(path)?.mode ?? null);
  if (bytes === null || mode === null) return null;
  return `${((mode & 0o100) === 0 ? REGULAR : EXECUTABLE).toString(8)} ${sha256Of(bytes)}`;
}

function readIfThere(path: string, most = MAX_FILE_BYTES): Buffer | null {
  try {
    return readRegular(path, most);
  } catch {
    return null; // gone, a folder or unreadable: absence is a value here
  }
}
