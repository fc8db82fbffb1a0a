import { expect, test } from "bun:test";
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
