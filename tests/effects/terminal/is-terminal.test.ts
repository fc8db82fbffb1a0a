import { expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";

const PROGRAM = `
  import { isTerminal } from ${JSON.stringify(join(import.meta.dirname, "../../../src/effects/terminal/is-terminal.ts"))};
  require("node:fs").writeSync(1, JSON.stringify([isTerminal(0), isTerminal(1), isTerminal(2)]));
`;
const ASKS = [process.execPath, "-e", PROGRAM];

test("a pipe, a file and the null device are no terminals", () => {
  const { stdout } = Bun.spawnSync(ASKS, { stdin: Bun.file(import.meta.path), stdout: "pipe", stderr: "ignore" });
  expect(JSON.parse(stdout.toString())).toEqual([false, false, false]);
});

test.skipIf(process.platform === "win32")("a terminal is one", async () => {
  let said = "";
  const { promise: isSaid, resolve } = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  const child = Bun.spawn(ASKS, {
    terminal: {
      data(_, bytes) {
        said += decoder.decode(bytes, { stream: true });
        if (said.includes("]")) resolve();
      },
    },
  });
  await Promise.all([isSaid, child.exited]);
  expect(JSON.parse(said)).toEqual([true, true, true]);
});
