import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as Citty from "citty";
import { cittyWithoutUtil } from "../../../scripts/lib/build/citty-without-util.ts";

const FILE = Bun.resolveSync("citty", import.meta.dirname);
const SOURCE = readFileSync(FILE, "utf8");

test("citty without util gives a command without flags of its own the same words", async () => {
  // Beside citty's own parts, so that its imports are found.
  const folder = mkdtempSync(join(dirname(FILE), ".without-"));
  try {
    const file = join(folder, "index.mjs");
    writeFileSync(file, cittyWithoutUtil(SOURCE).replaceAll('"./', '"../'));
    const without: typeof Citty = await import(file);
    const words = ["--calls", "5", "-v", "--no-live", "a b", "--", "--json"];
    for (const citty of [without, await import("citty")]) {
      let seen: readonly string[] = [];
      const run = ({ rawArgs }: { rawArgs: string[] }) => {
        seen = rawArgs;
      };
      const program = citty.defineCommand({ subCommands: { run: citty.defineCommand({ run }) } });
      await citty.runCommand(program, { rawArgs: ["run", ...words] });
      expect(seen).toEqual(words);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a citty without the line to change fails the build", () => {
  expect(() => cittyWithoutUtil("export const runMain = () => {};")).toThrow("citty has changed");
});
