import { expect, test } from "bun:test";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { RUN } from "../../src/cli/definitions/run.ts";
import { runWords } from "../../src/core/run-words.ts";
import { resolveSettings } from "../../src/core/settings/resolve-settings.ts";

function wordsOf(argv: readonly string[], env: Record<string, string> = {}, rc = ""): string[] {
  const { args, settings: flags } = parseArgs(RUN, argv);
  const resolved = resolveSettings({ flags, env, file: { path: ".ralph/.ralphrc", text: rc } });
  expect(resolved.problems).toEqual([]);
  return runWords(resolved, { mode: args.mode ?? null, flags });
}

test("flags are kept as they were typed, and what concerns the screen is not", () => {
  const argv = ["plan", "-c", "5", "--max-time", "8h", "--no-continue", "--trust-driver", "-v", "--notify", "--quiet"];
  expect(wordsOf(argv)).toEqual(["plan", "--trust", "--no-continue", "--calls=5", "--max-time=8h"]);
});

test("rights from the environment are kept, rights from the file stay there", () => {
  const env = { CLAUDE_PERMISSION_MODE: "acceptEdits", ALLOWED_TOOLS: "Read,Bash(git *)", MAX_ITERATIONS: "3" };
  expect(wordsOf([], env)).toEqual(["--allowed-tools=Read,Bash(git *)", "--permission-mode=acceptEdits"]);
  expect(wordsOf([], {}, "CLAUDE_PERMISSION_MODE=acceptEdits\nALLOWED_TOOLS=Read\n")).toEqual([]);
});

test("the words give the same settings again, whatever the values look like", () => {
  const argv = ["--preamble=-x= 'y' \"z\"", "--allowed-tools", "Read,Bash(git log:*)", "--until", "07:00"];
  expect(wordsOf(wordsOf(argv))).toEqual(wordsOf(argv));
  expect(wordsOf(argv)).toHaveLength(3);
});
