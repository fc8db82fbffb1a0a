import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { run } from "../../../src/cli/commands/config-list.ts";
import { CONFIG_LIST } from "../../../src/cli/definitions/config.ts";
import { SETTING_NAMES } from "../../../src/core/settings/settings.ts";
import { testFolder } from "../../folders.ts";
import { fakeContext, type Written } from "../fake-context.ts";

const projectDir = testFolder("config");

async function config(argv: string[], text: string, color = false): Promise<Written> {
  writeFileSync(join(projectDir, ".ralphrc"), text);
  const env = { MAX_TIME: "90s" };
  const { context, written } = fakeContext(parseArgs(CONFIG_LIST, argv), { projectDir, env, color, rowColumns: 60 });
  await run(context);
  return written;
}

test("config lists changed settings first with their source, and warnings on stderr", async () => {
  const { out, err } = await config(["-c", "50"], 'ALLOWED_TOOLS="Read,Bash(git *)"\nFOO=1');
  expect(out.split("\n").slice(0, 8).join("\n")).toMatchInlineSnapshot(`
    "ALLOWED_TOOLS                    Read,Bash(git *)        file .ralphrc:1
    MAX_CALLS_PER_HOUR               50                      flag -c
    MAX_TIME                         90s                     environment MAX_TIME

    Defaults:
    PROMPT_FILE                      .ralph/PROMPT.md
    PREAMBLE                         not set
    PLATFORM_DRIVER                  claude-code"
  `);
  expect(out).toContain("\nOPTIONAL_SECTIONS                Optional,Future,Future Enh…\n");
  expect(err).toBe(".ralphrc:2: FOO is no setting of ralph and has no effect.\n");
});

test.each([[["config"]], [["config", "--json"]]])(
  "%j shows no secret, nor the beginning of one",
  async ([, ...argv]) => {
    const token = `ghp_${"0123456789abcdefABCD".repeat(2).slice(0, 36)}`;
    const { out } = await config(argv, `NOTIFY_COMMAND="curl -H 'X: ${token}' example.org"\nPREAMBLE="of ${token}"`);
    expect(out).not.toContain(token.slice(0, 12));
    expect(out).toContain("[masked: github token]");
  },
);

test("config keeps a gap between a long value and its source", async () => {
  const { out } = await config([], `PROJECT_NAME="${"long ".repeat(10)}name"`);
  expect(out).toContain("long name  file .ralphrc:1\n");
});

test("config dims only the defaults", async () => {
  const { out } = await config([], "", true);
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toStartWith("MAX_TIME");
  expect(lines.slice(2).every((line) => line.startsWith("\u001b[2m") && line.endsWith("\u001b[22m"))).toBe(true);
});

test("config --json names every setting with value, source and place, and the warnings, on stdout alone", async () => {
  const { out, err } = await config(["--json", "--max-cost", "2.5"], "FOO=1");
  const document = JSON.parse(out);
  expect(Object.keys(document.settings)).toEqual([...SETTING_NAMES]);
  expect(document.settings.MAX_COST_USD).toEqual({ value: 2.5, source: "flag", where: "--max-cost" });
  expect(document.settings.MAX_TIME).toEqual({ value: 1.5, source: "env", where: "MAX_TIME" });
  expect(document.settings.CLAUDE_MODEL).toEqual({ value: null, source: "default", where: null });
  expect(document.warnings).toHaveLength(1);
  expect(err).toBe("");
});

test("config names every problem with its place", async () => {
  const problems = config(["-t", "0"], "MAX_CALLS_PER_HOUR=x\nPROJECT_NAME=My App");
  await expect(problems).rejects.toThrow(
    expect.objectContaining({
      code: "config",
      hint: null,
      message: expect.stringMatching(
        /^\.ralphrc:2: This line is refused.*\n {2}Write: PROJECT_NAME="My App"\n-t "0" is not allowed.*\n\.ralphrc:1: MAX_CALLS_PER_HOUR="x"/,
      ),
    }),
  );
});
