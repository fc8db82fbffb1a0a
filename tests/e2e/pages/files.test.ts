/** The page of the journal names every file that ralph makes below .ralph. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../../../scripts/lib/docs/pages.ts";
import { cleanUp } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld } from "./worlds.ts";

afterAll(cleanUp);

/** The paths that the page tells, as patterns: `<words>` stand for any name, a folder for all that is in it. */
function told(page: string): RegExp[] {
  const [, section = ""] = page.split("## Files");
  const paths = [...section.matchAll(/`([\w.@<>/-]+)`/g)].map(([, path = ""]) => path);
  return paths.map((path) => {
    const pattern = path.replaceAll(".", "\\.").replaceAll(/<\w+>/g, "[^/]+");
    return new RegExp(`^${pattern}${path.endsWith("/") ? "" : "$"}`);
  });
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => path.slice(folder.length + 1)).sort();
}

test.skipIf(process.platform === "win32").each([
  ["history", "ralph undo 2"],
  ["team", "ralph trust --yes && ralph run --max-iterations 1 || [ $? -eq 4 ]; ralph setup --yes --force"],
  ["todo", "ralph setup --yes --from TODO.md --shims && ralph run --max-iterations 1 || [ $? -eq 4 ]"],
  ["nothing", 'ralph "Do this" --max-iterations 1 || [ $? -eq 4 ]'],
])("in the folder %s, after %s", async (name, commands) => {
  const world = await openWorld(name);
  try {
    const { exit, output } = await runBlock(commands, world, null);
    expect({ exit, output: exit === 0 ? "" : output }).toEqual({ exit: 0, output: "" });
    const patterns = told(readPage("docs/journal.md"));
    const files = filesBelow(join(world.cwd, ".ralph"));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
  } finally {
    await world.end();
  }
});
