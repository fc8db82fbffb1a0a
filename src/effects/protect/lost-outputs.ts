import { closeSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "../files/private.ts";
import { openRegular } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";

/** Output files deleted while an agent wrote them: the open descriptor still has every byte. */
export type LostOutputs = {
  /** Takes over `fd`, the descriptor of the deleted file `path`. */
  keep(fd: number, path: string): void;
  /** Restores all of them; call it once their folder exists again. Gives up on what cannot be written. */
  restore(): void;
};

const COPY_BYTES = 1 << 20;

export function createLostOutputs(): LostOutputs {
  const lost: { fd: number; path: string }[] = [];
  return {
    keep(fd, path) {
      lost.push({ fd, path });
    },
    restore() {
      for (const { fd, path } of lost.splice(0)) {
        tryRestore(fd, path);
        closeSync(fd);
      }
    },
  };
}

function tryRestore(fd: number, path: string): void {
  try {
    makePrivateFolder(dirname(path));
    const copy = openRegular(`${path}.tmp`, "replace");
    try {
      const chunk = Buffer.allocUnsafe(COPY_BYTES);
      for (let at = 0, read = -1; read !== 0; at += read) {
        read = readSync(fd, chunk, 0, COPY_BYTES, at);
        writeSync(copy, chunk, 0, read);
      }
    } finally {
      closeSync(copy);
    }
    renamePatiently(`${path}.tmp`, path);
  } catch {
    // The journal has the agent's output too; deleted files are reported when they are restored.
  }
}
