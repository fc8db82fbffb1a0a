import { expect, test } from "bun:test";
import { Writable } from "node:stream";
import { createOutput } from "../../../src/effects/terminal/output.ts";

test("what was written has gone out when it is drained, however slow the reader", async () => {
  const held: (() => void)[] = [];
  const seen: string[] = [];
  const slow = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      seen.push(chunk);
      held.push(() => done());
    },
  });
  const output = createOutput(() => slow);
  output.write("a");
  output.write("b");
  let drained = false;
  const wait = output.drained().then(() => {
    drained = true;
  });
  held.shift()?.();
  await Promise.resolve();
  expect(drained).toBe(false);
  while (held.length === 0) await Bun.sleep(0);
  held.shift()?.();
  await wait;
  expect(seen).toEqual(["a", "b"]);
});

test("a reader that went away is not waited for", async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  broken.on("error", () => {});
  const output = createOutput(() => broken);
  output.write("a");
  output.write("b");
  await output.drained();
});

test("without a write the stream is not touched", async () => {
  await createOutput(() => {
    throw new Error("touched");
  }).drained();
});
