import { expect, test } from "bun:test";
import { chooseAgent } from "../../../src/cli/agent/agent-choice.ts";
import { chooseReviewers } from "../../../src/cli/agent/choose-reviewers.ts";
import type { RalphError } from "../../../src/core/errors.ts";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import type { Host } from "../../../src/driver.ts";
import { testFolder } from "../../folders.ts";

const home = testFolder("reviewers");

/** Names of the drivers that may look, on a machine that has these programs. */
async function reviewers(installed: readonly string[], env: Record<string, string>): Promise<string[]> {
  const host: Host = {
    platform: "linux",
    env: { HOME: home },
    cwd: home,
    home,
    isRoot: false,
    which: (program) => (installed.includes(program) ? `/bin/${program}` : null),
    run: async () => ({ exit_code: 0, stdout: "1.0.40", stderr: "" }),
  };
  const resolved = resolveSettings({ flags: {}, env: { REVIEW_ON_DONE: "1", ...env }, file: null });
  const lookup = { host, settings: resolved.settings, personal: true, place: "", mayStart: true };
  const worker = await chooseAgent(lookup, ["ralph"]);
  const chosen = await chooseReviewers(resolved, lookup, worker, ["ralph"]);
  return chosen.map(({ driver, binary }) => `${driver.name}: ${binary.join(" ")}`);
}

test.each<[string, string[], Record<string, string>, string[]]>([
  ["nobody, where looks are off", ["claude", "codex"], { REVIEW_ON_DONE: "0" }, []],
  ["another vendor's agent, and then the run's own", ["claude", "codex"], {}, ["codex: codex", "claude-code: claude"]],
  ["the run's own, where no other is installed", ["claude"], {}, ["claude-code: claude"]],
  [
    "the first other in the list",
    ["opencode", "claude", "codex"],
    { PLATFORM_DRIVER: "codex" },
    ["claude-code: claude", "codex: codex"],
  ],
  ["an agent that can only read, not Cursor", ["claude", "cursor-agent"], {}, ["claude-code: claude"]],
  [
    "another alone, where the run's own cannot be kept from writing",
    ["cursor-agent", "codex"],
    { PLATFORM_DRIVER: "cursor" },
    ["codex: codex"],
  ],
  ["nobody, where none can be kept from writing", ["cursor-agent"], { PLATFORM_DRIVER: "cursor" }, []],
  [
    "the one that is named, alone",
    ["claude", "codex", "opencode"],
    { REVIEW_DRIVER: "opencode" },
    ["opencode: opencode"],
  ],
  [
    "the run's own if it is named, with its command",
    ["claude", "codex"],
    { REVIEW_DRIVER: "claude-code", CLAUDE_CODE_CMD: "claude --x" },
    ["claude-code: claude --x"],
  ],
  [
    "another with its own program, whatever the run's command is",
    ["claude", "codex"],
    { CLAUDE_CODE_CMD: "wrap claude" },
    ["codex: codex", "claude-code: wrap claude"],
  ],
  [
    "a scripted agent by itself, never by a real one",
    ["claude", "codex"],
    { PLATFORM_DRIVER: "demo" },
    ["demo: ralph"],
  ],
])("finished work is looked at by %s", async (_name, installed, env, chosen) => {
  expect(await reviewers(installed, env)).toEqual(chosen);
});

test("an agent that is not installed is said to be so beside where others are listed, and how to install it", async () => {
  const hint = await reviewers(["claude"], { REVIEW_DRIVER: "codex" }).catch((error: RalphError) => error.hint);
  expect(hint).toBe(
    "See which agents are there with: ralph drivers. Install this one with: npm install -g @openai/codex",
  );
});

test("one that nobody knows is chosen by its own setting, and not by that of the run's agent", async () => {
  const found = reviewers(["claude"], { REVIEW_DRIVER: "nobody" });
  const error = await found.then(
    () => null,
    (thrown: RalphError) => thrown,
  );
  expect([error?.message, error?.hint]).toEqual([
    'There is no driver called "nobody".',
    expect.stringMatching(
      /^Drivers: claude-code, .*\. Choose one with --review-driver NAME or PATH, or REVIEW_DRIVER\.$/,
    ),
  ]);
});

test.each([
  ["cursor", ["claude", "cursor-agent"], "Cursor CLI cannot look at the work: it cannot be kept from writing."],
  ["codex", ["claude"], 'OpenAI Codex is not installed: there is no program "codex" on the PATH.'],
])("a run does not begin if %s is named and cannot look", async (name, installed, message) => {
  expect(await reviewers(installed, { REVIEW_DRIVER: name }).catch((error: Error) => error.message)).toBe(message);
});
