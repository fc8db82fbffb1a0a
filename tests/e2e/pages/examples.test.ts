/** Every example of the commands' help, as docs/commands.md has it, in the compiled program with a scripted agent. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { examples } from "../../../scripts/lib/docs/examples.ts";
import { cleanUp } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld, type World } from "./worlds.ts";

afterAll(cleanUp);

const all = examples().flatMap(({ text, use }) => ("world" in use ? [{ text, ...use }] : []));

test("most examples are run", () => {
  expect(all.length).toBeGreaterThan(0.8 * examples().length);
});

async function works(world: World, { text, key, exit }: (typeof all)[number]): Promise<void> {
  const outcome = await runBlock(text, world, key);
  const output = outcome.exit === exit ? "" : outcome.output;
  expect({ text, exit: outcome.exit, output }).toEqual({ text, exit, output: "" });
}

describe.skipIf(process.platform === "win32")("in a folder of its own:", () => {
  test.each(all.filter(({ world }) => world !== null).map((one) => [one.text, one] as const))("%s", async (_, one) => {
    const world = await openWorld(one.world ?? "");
    try {
      await works(world, one);
    } finally {
      await world.end();
    }
  });
});

describe.skipIf(process.platform === "win32")("one after the other, in a project of many runs:", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld("long");
  });
  afterAll(() => world.end());
  test.each(all.filter(({ world }) => world === null).map((one) => [one.text, one] as const))("%s", (_, one) =>
    works(world, one),
  );
});
