/** The page of interfaces names every field that a command prints with --json, in the section of that command. */
import { afterAll, describe, expect, test } from "bun:test";
import { readPage } from "../../../scripts/lib/docs/pages.ts";
import { isRecord } from "../../../src/core/json-value.ts";
import { cleanUp } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld } from "./worlds.ts";

afterAll(cleanUp);

const SECTIONS = readPage("docs/interfaces.md").split(/\n(?=## )/);

/** What the page says below the headings that name these words. */
function told(...headings: string[]): string {
  const found = headings.map((words) => SECTIONS.find((section) => section.split("\n")[0]?.includes(words)));
  const missing = headings.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new Error(`no section about ${missing.join(", ")}`);
  return found.join("\n");
}

/** The names of all fields. Those of settings are names that the settings' own page has. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (!isRecord(value)) return [];
  const names = Object.keys(value).filter((name) => !/^[A-Z_]+$/.test(name));
  return [...names, ...Object.values(value).flatMap(fieldsOf)];
}

function untold(value: unknown, page: string): string[] {
  return [...new Set(fieldsOf(value))].filter((name) => !new RegExp(`\\b${name}\\b`).test(page)).sort();
}

/** In one folder, one after the other: a command, and the headings of the sections that say what it prints. */
const COMMANDS: Readonly<Record<string, readonly (readonly [command: string, ...headings: string[]])[]>> = {
  history: [
    ["ralph analyze .ralph/runs/*/1-1.out --json", "ralph analyze"],
    ["ralph plan --json", "ralph plan"],
    ["ralph config --json", "ralph config"],
    ["ralph status --json", "ralph status", "ralph plan", "Projections"],
    ["ralph circuit --json", "ralph circuit", "Projections"],
    ["ralph session --json", "ralph circuit", "Journal lines"],
    ["ralph prompt --json", "ralph circuit"],
    ["ralph drivers --json", "ralph drivers show"],
    ["ralph doctor --json", "ralph doctor"],
    ["ralph runs --json", "ralph runs"],
    ["ralph runs prune --keep 1 --yes --json", "ralph runs"],
    ["ralph replay --what-if MAX_ITERATIONS=1 --json", "ralph replay"],
    ["ralph stats --json", "ralph stats"],
    ["ralph report --json", "ralph report", "Journal lines", "ralph plan"],
    ["ralph ps --json", "ralph ps", "ralph status", "ralph plan", "Projections"],
    ["ralph checkpoints --json", "ralph undo"],
    ["ralph diff --json", "ralph diff"],
    ["ralph undo 2 --json", "ralph undo"],
    ["ralph undo --task 'Make part 5' --json", "ralph undo"],
    ["ralph worktrees --json", "ralph worktrees"],
  ],
  todo: [
    ["ralph setup --yes --from TODO.md --json", "ralph setup"],
    ["ralph trust --json", "ralph trust"],
  ],
  document: [["ralph import requirements.md . --yes --json", "ralph import"]],
  asking: [["ralph inbox --json", "ralph inbox"]],
  team: [
    ["ralph trust --yes --json", "ralph trust"],
    ["ralph run --max-iterations 1 || [ $? -eq 4 ]"],
    ["ralph gates --json", "ralph gates"],
    ["ralph land topic fix-7 --dry-run --json", "ralph land"],
    ["ralph land topic fix-7 --json", "ralph land"],
    ["ralph report --json", "ralph report", "Journal lines", "ralph plan", "ralph inbox"],
  ],
};

describe.skipIf(process.platform === "win32")("the page of interfaces names each field that is printed", () => {
  test.each(Object.keys(COMMANDS))("in the folder %s", async (name) => {
    const world = await openWorld(name);
    try {
      const faults: { command: string; exit: number | null; untold: string[] }[] = [];
      for (const [command, ...headings] of COMMANDS[name] ?? []) {
        const { exit, output } = await runBlock(`{ ${command}; } 2>/dev/null`, world, null);
        const lacks = exit === 0 && headings.length > 0 ? untold(JSON.parse(output), told(...headings)) : [];
        if (exit !== 0 || lacks.length > 0) faults.push({ command, exit, untold: lacks });
      }
      expect(faults).toEqual([]);
    } finally {
      await world.end();
    }
  });
});

test("a field that the page lacks is noticed", () => {
  expect(untold({ file: "a", tasks: [{ number: 1, colour: "red" }] }, told("ralph plan"))).toEqual(["colour"]);
});
