import { expect, test } from "bun:test";
import { type Args, defineCommand } from "../../../src/cli/args/define.ts";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { fakeContext } from "../fake-context.ts";

const ARGS = { json: { type: "boolean", description: "" } } as const satisfies Args;
const words = { meta: { name: "look", description: "" }, args: ARGS, settings: [], examples: [] };

test("a command runs the module that it loads, with the parsed arguments", async () => {
  const command = defineCommand({ ...words, load: async () => ({ run: async ({ args }) => (args.json ? 3 : 4) }) });
  const carriedOut = (...argv: string[]) =>
    command.carryOut((definition) => fakeContext(parseArgs(definition, argv), { projectDir: "/", env: {} }).context);
  expect([await carriedOut("--json"), await carriedOut()]).toEqual([3, 4]);
});

test("a command loads nothing if help is requested", async () => {
  let isLoaded = false;
  const load = async () => {
    isLoaded = true;
    return { run: async () => 1 };
  };
  expect([await defineCommand({ ...words, load }).carryOut(() => null), isLoaded]).toEqual([0, false]);
});

test("a module that expects arguments that its command lacks does not compile", () => {
  const needsFile = async () => ({ run: async ({ args }: { args: { file: string } }) => args.file.length });
  const needsText = async () => ({ run: async ({ args }: { args: { json: string } }) => args.json.length });
  // @ts-expect-error: the command has no such flag
  const refused = [defineCommand({ ...words, load: needsFile })];
  // @ts-expect-error: the command's flag has another type
  refused.push(defineCommand({ ...words, load: needsText }));
  expect(refused).toHaveLength(2);
});
