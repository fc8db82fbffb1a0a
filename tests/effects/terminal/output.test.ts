import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createOutput } from "../../../src/effects/terminal/output.ts";

test("everything written has been sent once the output is drained, however slow the reader", async () => {
  const pending: (() => void)[] = [];
  const seen: string[] = [];
  const slow = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      seen.push(chunk);
      pending.push(() => done());
    },
  });
  const output = createOutput(() => slow);
  output.write("a");
  output.write("b");
  let drained = false;
  const wait = output.drained().then(() => {
    drained = true;
  });
  pending.shift()?.();
  await Promise.resolve();
  expect(drained).toBe(false);
  while (pending.length === 0) await Bun.sleep(0);
  pending.shift()?.();
  await wait;
  expect(seen).toEqual(["a", "b"]);
});

test("draining does not wait for a reader that is gone", async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  broken.on("error", () => {});
  const output = createOutput(() => broken);
  output.write("a");
  output.write("b");
  await output.drained();
});

test("the stream is not touched before the first write", async () => {
  await createOutput(() => {
    throw new Error("touched");
  }).drained();
});

describe("what fits into a pipe", () => {
  const piped = () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-output-"));
    const path = join(folder, "out");
    const fd = openSync(path, "w");
    const streamed: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        streamed.push(chunk.toString());
        done();
      },
    });
    return {
      output: createOutput(() => stream, fd),
      fd,
      streamed,
      text: () => readFileSync(path, "utf8"),
      [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
    };
  };

  test("is written at once, without the stream, and what goes beyond it by the stream, in order", async () => {
    using at = piped();
    at.output.write("small ä\n");
    expect([at.text(), at.streamed]).toEqual(["small ä\n", []]);
    const large = "x".repeat(16 * 1024);
    at.output.write(large);
    at.output.write("after");
    await at.output.drained();
    expect([at.text(), at.streamed]).toEqual(["small ä\n", [large, "after"]]);
  });

  test("is known to have failed", async () => {
    using at = piped();
    closeSync(at.fd);
    at.output.write("lost");
    await at.output.drained();
    expect(at.output.failure()).toMatchObject({ code: "EBADF" });
    expect(at.streamed).toEqual([]);
  });
});
