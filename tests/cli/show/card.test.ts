import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { RUN } from "../../../src/cli/definitions/run.ts";
import { showCard } from "../../../src/cli/show/card.ts";
import { RalphError } from "../../../src/core/errors.ts";
import { testFolder } from "../../folders.ts";
import { fakeContext } from "../fake-context.ts";

const top = testFolder("card");

function cardIn(name: string, files: readonly string[], argv: string[] = [], rowColumns = 80) {
  const dir = join(top, name);
  for (const path of [".keep", ...files]) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), "x");
  }
  const { context, written } = fakeContext(parseArgs(RUN, argv), {
    projectDir: dir,
    env: { HOME: top, PATH: "" },
    rowColumns,
  });
  return { shown: showCard(context), out: () => written.out };
}

describe("ralph alone outside a project", () => {
  test("shows what is here, and the three commands to type next", async () => {
    const { shown, out } = cardIn("plain", []);
    expect(await shown).toBe(7);
    expect(out()).toMatchInlineSnapshot(`
      "ralph runs a coding agent again and again until the work is really done.

        agents  none found on the PATH (ralph doctor says how to get one)
        here    no Ralph project yet, no git repository

        ralph setup             make this folder a Ralph project
        ralph import FILE .     the same, from a document that says what to build
        ralph "Fix the tests"   one task, no files needed

        See it work first, without an account: ralph demo. All the rest: ralph --help
      "
    `);
  });

  test("is folded between words on a narrow terminal", async () => {
    const { shown, out } = cardIn("narrow", [], [], 50);
    await shown;
    const lines = out().split("\n");
    expect(lines.filter((line) => line.length > 50)).toEqual([]);
    expect(lines).toContain("  ralph import FILE .     the same, from a");
    expect(lines).toContain("                          document that says what");
  });

  test("names the document in this folder", async () => {
    const { shown, out } = cardIn("prd", ["docs/my prd.md"]);
    await shown;
    expect(out()).toContain('ralph import "docs/my prd.md" .   the same');
  });

  test.skipIf(process.platform === "win32")("shows a hostile document name as text", async () => {
    const { shown, out } = cardIn("hostile", ["prd\u001b[2J\n.md"]);
    await shown;
    expect(out()).toContain("ralph import FILE ");
  });

  test("is an error document with --json", async () => {
    const { shown, out } = cardIn("json", [], ["--json"]);
    const error = await shown.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RalphError);
    expect(error).toMatchObject({ exit: 7, code: "environment", hint: expect.stringContaining("ralph setup") });
    expect(out()).toBe("");
  });
});
