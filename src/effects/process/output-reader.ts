import type { Readable } from "node:stream";
import { createLineSplitter } from "./line-splitter.ts";
import { createLineTail } from "./line-tail.ts";
import type { OutputFile } from "./output-file.ts";
import { readPipe } from "./output-pipe.ts";
import { wholeLinesOf } from "./whole-lines.ts";

export type OutputHooks = {
  /** Bytes arrived on either pipe. */
  onBytes(): void;
  /** Complete lines of stdout. */
  onLines(lines: string[]): void;
  /** A file could not be written, or `onLines` threw; reading stops, and `drain` throws the error. */
  onBroken(): void;
};

export type OutputReader = {
  /**
   * Call it once the process is gone: reads the remaining output, including an unterminated last line. Throws what broke the
   * reading.
   */
  drain(): Promise<void>;
  stderrTail(): string[];
  /** Stops reading. */
  close(): void;
};

/** Reads both pipes at once: bytes go to their files, lines of stdout to `onLines`, the end of stderr to memory. */
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
      const whole = wholeLinesOf(chunk);
      files.stdout.append(chunk, whole);
      hooks.onBytes();
      pass(splitter.push(chunk, whole));
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
