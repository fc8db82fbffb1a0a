import { describe, expect, test } from "bun:test";
import codex from "../../drivers/codex.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest } from "../../src/driver.ts";
import { requestOf } from "./request.ts";

const OLD = "01a1ffe1-321c-7863-b34d-15d80ac9d995";

const base = requestOf({ binary: ["codex"] });
const words = (change: Partial<CommandRequest>) => codex.buildCommand({ ...base, ...change }).argv.join(" ");

describe("the command line of Codex", () => {
  const head = "codex exec --json --sandbox workspace-write";
  test.each<[string, Partial<CommandRequest>, string]>([
    ["begins a new thread", {}, `${head} -`],
    ["resumes after all flags", { resume: OLD, model: "gpt-5.5" }, `${head} --model gpt-5.5 resume ${OLD} -`],
    ["is the same with a list of tools", { allowedTools: ["Read"] }, `${head} -`],
    ["is the same with partial text", { partial: true }, `${head} -`],
    ["prints text", { format: "text" }, "codex exec --sandbox workspace-write -"],
    ["says that there is no repository", { isGitRepository: false }, `${head} --skip-git-repo-check -`],
    ["names the effort as TOML", { effort: 'a "b"' }, `${head} -c model_reasoning_effort="a \\"b\\"" -`],
    [
      "lets a review only read",
      { readOnly: true, resume: OLD },
      `codex exec --json --sandbox read-only resume ${OLD} -`,
    ],
    ["leaves the wall to ralph's sandbox", { shutIn: true }, "codex exec --json --sandbox danger-full-access -"],
    [
      "still lets a review only read there",
      { shutIn: true, readOnly: true },
      "codex exec --json --sandbox read-only -",
    ],
    ["keeps the words of a wrapped binary", { binary: ["npx", "codex"] }, `npx ${head} -`],
    ...["", "acceptEdits", "default", "plan"].map((permissionMode): [string, Partial<CommandRequest>, string] => [
      `is the same in the mode ${JSON.stringify(permissionMode)}`,
      { permissionMode },
      `${head} -`,
    ]),
  ])("%s", (_, change, expected) => expect(words(change)).toBe(expected));

  test("leaves the prompt to stdin, after the context", () => {
    expect(codex.buildCommand(base)).toEqual({ argv: words({}).split(" "), stdin: base.prompt });
    const { argv, stdin } = codex.buildCommand({ ...base, context: "Iteration 3." });
    expect([argv.join(" "), stdin]).toEqual([`${head} -`, `Iteration 3.\n\n${base.prompt}`]);
  });
});

test("only UUIDs are thread ids: with any other word Codex would silently start a new thread", () => {
  const ids = [OLD, OLD.toUpperCase(), "", "--last", "my-thread", `${OLD} `, "ses_1"];
  expect(ids.map((id) => isSessionId(codex, id))).toEqual([true, true, false, false, false, false, false]);
});

test("the help after a denial names the settings file and what the agent reads", () => {
  const help = codex.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
  for (const word of [".ralph/.ralphrc", "workspace-write", "network_access", ".git"]) {
    expect(help).toContain(word);
  }
});
