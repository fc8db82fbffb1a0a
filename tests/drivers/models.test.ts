import { describe, expect, test } from "bun:test";
import claudeCode from "../../drivers/claude-code.ts";
import codex from "../../drivers/codex.ts";
import copilot from "../../drivers/copilot.ts";
import cursor from "../../drivers/cursor.ts";
import opencode from "../../drivers/opencode.ts";
import type { Driver, Host } from "../../src/driver.ts";

/** What the driver reads from the answer of its CLI, and what it asked. */
async function asked(driver: Driver, stdout: string, exit_code = 0) {
  const calls: string[] = [];
  const run: Host["run"] = async (argv) => {
    calls.push(argv.join(" "));
    return { exit_code, stdout, stderr: "" };
  };
  const host: Host = {
    platform: "linux",
    env: {},
    cwd: "/project",
    home: "/home/user",
    isRoot: false,
    which: () => null,
    run,
  };
  const models = (await driver.listModels?.(host, ["agent"])) ?? null;
  return { call: calls.join(), models: models?.map(({ id, label, is_default }) => [id, label, is_default]) ?? null };
}

const CLAUDE = `  --mcp-config <configs...>  Load MCP servers, as in 'a'
  --model <model>                       Model for the current session. Provide
                                        an alias for the latest model (e.g.
                                        'fable', 'opus', or 'sonnet') or a
                                        model's full name (e.g.
                                        'claude-fable-5').
  -n, --name <name>                     A name, as in 'b'
`;
const CODEX = JSON.stringify({
  models: [
    { slug: "second", display_name: "Second", visibility: "list", priority: 7 },
    { slug: "hidden", display_name: "Hidden", visibility: "hide", priority: 1 },
    { slug: "first", visibility: "list", priority: 2 },
    null,
    { slug: 3, visibility: "list" },
  ],
});
const COPILOT = `  \`mouse\`: whether
    - "on"

  \`model\`: AI model to use; can be changed with --model.
    - "claude-sonnet-5.5"
    - "gpt-6-sol" (preview)

  \`other\`: another
    - "no model"
`;
const CURSOR = `Available models

auto - Auto  (current)
gpt-6 - GPT 6  (default)
----------
grok-5 - Grok 5
`;

describe("the models that a CLI names", () => {
  test.each<[string, Driver, string, string, (string | boolean | null)[][]]>([
    [
      "Claude Code: the aliases in its help",
      claudeCode,
      CLAUDE,
      "agent --help",
      ["fable", "opus", "sonnet", "claude-fable-5"].map((id) => [id, null, false]),
    ],
    [
      "Codex: its catalog, by priority",
      codex,
      CODEX,
      "agent debug models",
      [
        ["first", null, true],
        ["second", "Second", false],
      ],
    ],
    [
      "OpenCode: a line each",
      opencode,
      "opencode/big\r\nWarning: old\nlocal/a/b\n\n",
      "agent models",
      [
        ["opencode/big", null, false],
        ["local/a/b", null, false],
      ],
    ],
    [
      "Copilot: the values of a setting",
      copilot,
      COPILOT,
      "agent help config",
      [
        ["claude-sonnet-5.5", null, false],
        ["gpt-6-sol", null, false],
      ],
    ],
    [
      "Cursor: lines with labels",
      cursor,
      CURSOR,
      "agent --list-models",
      [
        ["auto", "Auto", false],
        ["gpt-6", "GPT 6", true],
        ["grok-5", "Grok 5", false],
      ],
    ],
  ])("%s", async (_, driver, answer, call, models) => {
    expect(await asked(driver, answer)).toEqual({ call, models });
    expect((await asked(driver, answer.replace(/\r?\n/g, "\r\n"))).models).toEqual(models);
  });

  test.each([claudeCode, codex, copilot, cursor, opencode])("none are made up where $name fails", async (driver) => {
    expect((await asked(driver, "Error: unknown command", 1)).models).toBeNull();
    expect((await asked(driver, "")).models ?? []).toEqual([]);
  });
});
