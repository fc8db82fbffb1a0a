/** Every command on the pages, in the compiled program with a scripted agent, as the pages have it. */
import { afterAll, describe, expect, test } from "bun:test";
import { type CommandBlock, commandBlocks } from "../../../scripts/lib/docs/command-blocks.ts";
import { pageFiles, readPage } from "../../../scripts/lib/docs/pages.ts";
import { cleanUp } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld } from "./worlds.ts";

afterAll(cleanUp);

/** Blocks that follow each other in one folder, from one that names its world to the next that does. */
function sequences(file: string): CommandBlock[][] {
  const found: CommandBlock[][] = [];
  for (const block of commandBlocks(file, readPage(file))) {
    if (!("world" in block.use)) continue;
    if (block.use.world !== null) found.push([]);
    const last = found.at(-1);
    if (last === undefined) throw new Error(`${file}:${block.line}: the first commands of a page need a world`);
    last.push(block);
  }
  return found;
}

const all = pageFiles().flatMap(sequences);

test("there are commands on the pages", () => {
  expect(all.length).toBeGreaterThan(20);
});

describe.skipIf(process.platform === "win32")("the commands of", () => {
  test.each(all.map((blocks) => [`${blocks[0]?.file}:${blocks[0]?.line}`, blocks] as const))(
    "%s",
    async (_, blocks) => {
      const [first] = blocks;
      if (first === undefined || !("world" in first.use)) throw new Error("a sequence without a block");
      const world = await openWorld(first.use.world ?? "");
      try {
        for (const { file, line, text, use } of blocks) {
          if (!("world" in use)) continue;
          const { exit, output } = await runBlock(text, world, use.key);
          expect({ at: `${file}:${line}`, exit, output: exit === use.exit ? "" : output }).toEqual({
            at: `${file}:${line}`,
            exit: use.exit,
            output: "",
          });
        }
      } finally {
        await world.end();
      }
    },
  );
});
