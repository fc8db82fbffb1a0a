import { expect, test } from "bun:test";
import { resolveSettings } from "../../src/core/settings/resolve-settings.ts";
import { driverWarnings } from "../../src/driver-host/driver-warnings.ts";
import { findBuiltIn } from "../../src/driver-host/registry.ts";

function warnings(name: string, tools?: string): string[] {
  const found = findBuiltIn(name);
  if (found === null) throw new Error(`no driver ${name}`);
  const env = tools === undefined ? {} : { ALLOWED_TOOLS: tools };
  return driverWarnings(found.driver, resolveSettings({ flags: {}, env, file: null })).map(({ message }) => message);
}

test.each([
  ["the defaults", undefined],
  ["known tools", "Write,Read,Bash"],
  ["parts of known tools", "Bash(git add,commit),Read(*),Edit(src/**),Task(x)"],
  ["tools of MCP servers", "mcp__server__tool,mcp__server__*"],
])("%s cause no warning", (_, tools) => expect(warnings("claude-code", tools)).toEqual([]));

test("a tool that the driver does not know causes a warning with the nearest known one", () => {
  expect(warnings("claude-code", "Red,Write,bogus(x)")).toEqual([
    expect.stringMatching(/tool Red; .* Did you mean Read\?$/),
    expect.stringContaining("tool bogus(x);"),
  ]);
});

test("a tool list for a driver without tool lists causes a warning, but only if the user set it", () => {
  expect(warnings("codex", "shell")).toEqual([
    "OpenAI Codex does not support a list of tools: ALLOWED_TOOLS has no effect.",
  ]);
  expect(warnings("codex")).toEqual([]);
});
