import { closeSync, mkdirSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Output files that were deleted while an agent wrote them: an open descriptor still has every byte. */
export type LostOutputs = {
  /** Takes over `fd`, which was the file `path`. */
  keep(fd: number, path: string): void;
  /** Puts all of them back; to be called once their folder is there again. What can't be written is given up. */
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
        tryPutBack(fd, path);
        closeSync(fd);
      }
    },
  };
}

function tryPutBack(fd: number, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const copy = openSync(`${path}.tmp`, "w");
    try {
      const chunk = Buffer.allocUnsafe(COPY_BYTES);
      for (let at = 0, read = -1; read !== 0; at += read) {
        read = readSync(fd, chunk, 0, COPY_BYTES, at);
        writeSync(copy, chunk, 0, read);
      }
    } finally {
      closeSync(copy);
    }
    renameSync(`${path}.tmp`, path);
  } catch {
    // What the agent said is in the journal too; that it deleted files is told when those are put back.
  }
}
