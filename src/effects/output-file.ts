import { closeSync, openSync, writeSync } from "node:fs";
import { RalphError } from "../core/errors.ts";

/** A file that an agent's bytes are appended to as they come. */
export type OutputFile = {
  append(chunk: Uint8Array): void;
  /** What comes after it is dropped: the descriptor may be another file's by then. */
  close(): void;
};

/**
 * Opens (or creates) `path` for appending. Each chunk is one write, at once: nothing is lost if ralph is killed.
 * @throws RalphError `environment` if the file cannot be opened or written (disk full)
 */
export function openOutputFile(path: string): OutputFile {
  const fd = guarded(path, () => openSync(path, "a"));
  let isOpen = true;
  return {
    append(chunk) {
      if (!isOpen) return;
      guarded(path, () => {
        for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
      });
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new RalphError("environment", `The agent's output cannot be written to ${path}.`, {
      hint: "Check that the disk has room and that the folder may be written.",
      cause,
    });
  }
}
