import { expect, test } from "bun:test";
import { type CommandDef, runCommand } from "citty";
import { type Command, defineCommand, defineGroup } from "../../src/cli/args/define.ts";
import { createProgram } from "../../src/cli/program.ts";

const command = (name: string) =>
  defineCommand({
    meta: { name, description: "" },
    args: { file: { type: "positional", required: true, description: "" } },
    settings: [],
    examples: [],
    load: async () => ({ run: async () => 0 }),
  });

const commands = {
  look: command("look"),
  circuit: defineGroup({
    meta: { name: "circuit", description: "" },
    subCommands: { status: command("circuit status"), reset: command("circuit reset") },
    default: "status",
    examples: [],
  }),
};

/** The commands that citty runs for a command line, each with its words. */
async function carriedOut(...rawArgs: string[]): Promise<[string, ...string[]][]> {
  const done: [string, ...string[]][] = [];
  const carryOut = async ({ meta }: Command, words: readonly string[]) => void done.push([meta.name, ...words]);
  await runCommand(createProgram(commands, carryOut), { rawArgs });
  return done;
}

test.each([
  [
    ["look", "-C", "circuit", "--json", "reset"],
    ["look", "-C", "circuit", "--json", "reset"],
  ],
  [
    ["circuit", "reset", "--", "-x"],
    ["circuit reset", "--", "-x"],
  ],
  [["circuit", "status"], ["circuit status"]],
  [["circuit"], ["circuit status"]],
  [
    ["look", "--frobnicate", "--no-such=1", "-abc"],
    ["look", "--frobnicate", "--no-such=1", "-abc"],
  ],
])("citty runs the command in %j once, with its words as typed", async (rawArgs, expected) => {
  expect(await carriedOut(...rawArgs)).toEqual([expected as [string, ...string[]]]);
});

test("citty passes on what a command throws", async () => {
  const broken = new Error("it broke");
  const program = createProgram(commands, () => Promise.reject(broken));
  expect(await runCommand(program, { rawArgs: ["look"] }).catch((error: unknown) => error)).toBe(broken);
});

test("citty builds only the command that it runs", async () => {
  const { subCommands } = createProgram(commands, async () => {});
  const lazy = Object.values((subCommands ?? {}) as Record<string, () => CommandDef>);
  expect(lazy.map((make) => typeof make)).toEqual(["function", "function"]);
});
