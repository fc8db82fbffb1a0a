import type { Readable } from "node:stream";
import { createLineSplitter } from "./line-splitter.ts";
import { createLineTail } from "./line-tail.ts";
import type { OutputFile } from "./output-file.ts";
import { readPipe } from "./output-pipe.ts";

export type OutputHooks = {
  /** Something came, on either pipe. */
  onBytes(): void;
  /** Whole lines of stdout. */
  onLines(lines: string[]): void;
  /** A file could not be written, or `onLines` threw: nothing more is read. `drain` tells what it was. */
  onBroken(): void;
};

export type OutputReader = {
  /** To be called once the process is gone: the rest of its output, with a last line that has no end. Throws what broke it. */
  drain(): Promise<void>;
  stderrTail(): string[];
  /** Nothing more is read. */
  close(): void;
};

/** Reads both pipes at once: bytes into their files, lines of stdout to `onLines`, the end of stderr into memory. */
export function createOutputReader(
  pipes: { stdout: Readable; stderr: Readable },
  files: { stdout: OutputFile; stderr: OutputFile },
  hooks: OutputHooks,
): OutputReader {
  const splitter = createLineSplitter();
  const tail = createLineTail();
  const pass = (lines: string[]) => {
    if (lines.length > 0) hooks.onLines(lines);
  };
  const both = [
    readPipe(pipes.stdout, (chunk) => {
      files.stdout.append(chunk);
      hooks.onBytes();
      pass(splitter.push(chunk));
    }),
    readPipe(pipes.stderr, (chunk) => {
      files.stderr.append(chunk);
      hooks.onBytes();
      tail.push(chunk);
    }),
  ];
  for (const pipe of both) pipe.done.catch(hooks.onBroken);

  return {
    async drain() {
      await Promise.all(both.map((pipe) => pipe.drain()));
      await Promise.all(both.map((pipe) => pipe.done));
      pass(splitter.end());
    },
    stderrTail: tail.lines,
    close() {
      for (const pipe of both) pipe.close();
    },
  };
}
