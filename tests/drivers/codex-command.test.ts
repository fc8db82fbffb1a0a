import { describe, expect, test } from "bun:test";
import codex from "../../drivers/codex.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Host } from "../../src/driver.ts";
import { requestOf } from "./request.ts";

const OLD = "01a1ffe1-321c-7863-b34d-15d80ac9d995";

const base = requestOf({ binary: ["codex"] });
const words = (change: Partial<CommandRequest>) => codex.buildCommand({ ...base, ...change }).argv.join(" ");

test("the file of a thread of Codex lies where the time in its id says, to a second, in local time", () => {
  const at = new Date(0x01a1ffe1321c);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()];
  const host = { env: { CODEX_HOME: "/codex" }, home: "/home/me" } as unknown as Host;
  const files = codex.usageFiles?.(host, OLD) ?? [];
  expect(files[0]).toBe(
    `/codex/sessions/${day.join("/")}/rollout-${day.join("-")}T${two(hours)}-${two(minutes)}-${two(seconds)}-${OLD}.jsonl`,
  );
  expect(files).toHaveLength(2);
  expect(codex.usageFiles?.({ ...host, env: {} }, OLD)[1]).toStartWith("/home/me/.codex/sessions/");
  for (const id of ["ffffffff-ffff-4fff-bfff-ffffffffffff", "x"])
    expect(() => codex.usageFiles?.(host, id)).not.toThrow();
});

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
