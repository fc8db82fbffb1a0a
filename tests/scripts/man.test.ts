import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/lib/run-program.ts";
import { commandsOf } from "../../src/cli/args/define.ts";
import { manPage } from "../../src/cli/args/man-page.ts";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { run as ralphMan } from "../../src/cli/commands/man.ts";
import { MAN } from "../../src/cli/definitions/man.ts";
import { SETTING_NAMES } from "../../src/core/settings/settings.ts";
import { fakeContext } from "../cli/fake-context.ts";

const page = manPage(COMMANDS, "2026-11-22");

test("names every command and every setting", () => {
  for (const { meta } of Object.values(COMMANDS).flatMap(commandsOf)) expect(page).toContain(`.SS "ralph ${meta.name}`);
  for (const name of SETTING_NAMES) expect(page).toContain(`.B ${name}\n`);
});

test("the man page names the flag that turns off a default", () => expect(page).toContain("\\-\\-no\\-update\\-check"));

describe.each([
  ["mandoc", ["-T", "lint", "-W", "warning"]],
  ["groff", ["-ww", "-man", "-T", "utf8", "-r", "LL=80n", "-z"]],
])("the man page under %s", (program, words) => {
  test.skipIf(Bun.which(program) === null)("has no warnings except about long source lines", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-man-"));
    writeFileSync(join(folder, "ralph.1"), page);
    const { output } = await run([program, ...words, join(folder, "ralph.1")]);
    rmSync(folder, { recursive: true, force: true });
    expect(output).toBe("");
  });
});

test("ralph man prints the page of a build without a date", async () => {
  const { context, written } = fakeContext(parseArgs(MAN, []), { projectDir: ".", env: {} });
  expect(await ralphMan(context)).toBe(0);
  expect(written.out).toBe(manPage(COMMANDS));
});
