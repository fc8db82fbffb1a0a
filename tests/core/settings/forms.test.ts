import { expect, test } from "bun:test";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import { settingSpec } from "../../../src/core/settings/settings.ts";

const NAMES = ["CLAUDE_MODEL", "CLAUDE_EFFORT", "REVIEW_MODEL"] as const;

test.each([
  // A name goes to the agent after a flag, so it cannot be a flag itself.
  ...NAMES.map((name) => [name, ["opus-5[1m]", "4-opus"], ["--auto", "-m"], "a name"] as const),
  ["CLAUDE_MIN_VERSION", ["2", "2.0.76", "2.1.0-beta.1"], ["new", "2.", "v2.0.76"], "a version"],
  [
    "CLAUDE_CODE_CMD",
    ["claude", "sh -c 'claude --x'", "C:\\bin\\claude.exe"],
    ["claude 'open", "it's"],
    "a command with each quote",
  ],
  ["SANDBOX_MEMORY", ["512m", "4G", "1073741824"], ["much", "4gb", "1.5g", "-1g"], "a number and b, k, m or g"],
  ["SANDBOX_CPUS", ["2", "0.5"], ["all", "2.", "-1", "1e3"], "a number of processors"],
  ["PUSH", ["auto", "origin", "origin:work/it"], ["a b", "--force", "origin:", "origin:-f"], "auto, a remote's name"],
  ["TAG", ["patch", "minor", "nightly-{n}"], ["major", "x", "{n}-{n}", "a b{n}"], "patch, minor"],
] as const)("%s has a form, and what has another is told by file and line", (name, fitting, others, allowed) => {
  const read = (text: string) =>
    resolveSettings({ flags: {}, env: {}, file: { path: ".ralph/.ralphrc", text: `# mine\n${name}="${text}"\n` } });
  for (const text of fitting) expect(read(text)).toMatchObject({ settings: { [name]: text }, problems: [] });
  for (const text of others) {
    const { settings, problems } = read(text);
    expect({ text, problems }).toEqual({
      text,
      problems: [
        {
          code: "config",
          where: ".ralph/.ralphrc:2",
          message: expect.stringContaining(`${name}="${text}" is not allowed: it must be ${allowed}`),
          hint: null,
        },
      ],
    });
    expect(settings[name]).toBe(settingSpec(name).default as never);
  }
});
