import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder, SHARED_FILE } from "../files/private.ts";
import { MAX_FILE_BYTES, readRegular } from "../files/regular-file.ts";
import type { GateFiles, Snapshot } from "../ports.ts";
import { copyTree } from "./tree-copy.ts";

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
    list: filesOf,
    read: (path, most) => readIfThere(join(project, path), most),
    write(path, content) {
      const target = join(project, path);
      if (content === null) return rmSync(target, { force: true });
      mkdirSync(dirname(target), { recursive: true });
      writeFileAtomic(target, content, SHARED_FILE);
    },
    copyTree: (tree, changes) => copyTree(project, filesOf(tree), changes),
    keep(run, name, text) {
      makePrivateFolder(join(runsDir, run));
      writeFileAtomic(join(runsDir, run, name), text);
      return sha256(text);
    },
    kept(run, name, digest) {
      const text = readIfThere(join(runsDir, run, name))?.toString("utf8") ?? null;
      return text === null || (digest !== null && sha256(text) !== digest) ? null : text;
    },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readIfThere(path: string, most = MAX_FILE_BYTES): Buffer | null {
  try {
    return readRegular(path, most);
  } catch {
    return null; // gone, a folder or unreadable: absence is a value here
  }
}
