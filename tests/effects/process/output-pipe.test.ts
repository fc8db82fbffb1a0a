import { expect, test } from "bun:test";
import { Readable } from "node:stream";
import { readPipe } from "../../../src/effects/process/output-pipe.ts";

test("a chunk's memory is given back once it was taken, but not a part of a larger buffer, whose rest may be in use", async () => {
  const whole = Buffer.from(Uint8Array.from(Buffer.from("whole")).buffer);
  const part = Buffer.alloc(8, "part").subarray(0, 4);
  const taken: string[] = [];
  await readPipe(Readable.from([whole, part]), (chunk) => taken.push(chunk.toString())).done;
  expect(taken).toEqual(["whole", "part"]);
  expect([whole.length, part.toString()]).toEqual([0, "part"]);
});
