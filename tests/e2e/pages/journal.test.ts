/** The page of interfaces names each event that real runs write, with each of its fields, and says how every line begins. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { INTERFACES, rowsOf, untoldIn } from "../../docs/journal-table.ts";
import { cleanUp, wholeLines } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld } from "./worlds.ts";

afterAll(cleanUp);

const ENVELOPE = ["v", "seq", "at", "run", "iteration", "type"];
const ROWS = rowsOf(INTERFACES);

type Line = { v: number; seq: number; at: string; run: string; iteration: number; type: string };

/** What a line has that the page does not tell, or lacks of what it promises of every line. */
function faultsOf(line: Line, { seq, run }: { seq: number; run: string }): string[] {
  const row = ROWS.get(line.type);
  if (row === undefined) return [`no row for ${line.type}`];
  const begins = line.v === 1 && line.seq === seq && line.run === run && Number.isInteger(line.iteration);
  const fields = Object.keys(line).filter((field) => !ENVELOPE.includes(field));
  return [
    ...(begins && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(line.at)
      ? []
      : [`${run}, line ${seq}: how it begins`]),
    ...untoldIn(row, fields).map((field) => `${line.type} has ${field}`),
  ];
}

/** A folder, what is done there, and an event that only this brings. */
const WORLDS: [name: string, commands: string, brings: string][] = [
  ["history", "ralph undo 2", "undone"],
  ["document", "ralph import requirements.md . --yes", "import_started"],
  ["asking", 'ralph inbox answer 1 "Take SQLite"; ralph run --max-iterations 1 || [ $? -eq 4 ]', "question_answered"],
  [
    "team",
    "ralph trust --yes; ralph run --commit --max-iterations 1 || [ $? -eq 4 ]; ralph land topic fix-7",
    "land_tested",
  ],
  [
    "live",
    'ralph say "Leave the CSS alone"; ralph pause; ralph resume; ralph extend 2; ralph stop; ralph extend 1',
    "bound_raised",
  ],
];

test.skipIf(process.platform === "win32").each(WORLDS)("in the folder %s, after %s", async (name, commands, brings) => {
  const world = await openWorld(name);
  const { exit, output } = await runBlock(commands, world, null).finally(() => world.end());
  expect({ exit, output: exit === 0 ? "" : output }).toEqual({ exit: 0, output: "" });
  const runs = join(world.cwd, ".ralph/runs");
  const journals = readdirSync(runs).map((run) => ({ run, lines: wholeLines(join(runs, run, "events.jsonl")) }));
  const faults = journals.flatMap(({ run, lines }) =>
    lines.flatMap((line, index) => faultsOf(JSON.parse(line), { seq: index + 1, run })),
  );
  expect(faults).toEqual([]);
  expect(journals.flatMap(({ lines }) => lines).some((line) => line.includes(`"type":"${brings}"`))).toBe(true);
});

test("a field, an event and a beginning that the page does not have are noticed", () => {
  const line = { v: 1, seq: 1, at: "2026-03-04T12:00:00.000Z", run: "0001", iteration: 0, type: "said" };
  const at = { seq: 1, run: "0001" };
  expect(faultsOf({ ...line, text: "a" } as Line, at)).toEqual([]);
  expect(faultsOf({ ...line, colour: "red" } as Line, at)).toEqual(["said has colour"]);
  expect(faultsOf({ ...line, type: "sung" }, at)).toEqual(["no row for sung"]);
  expect(faultsOf({ ...line, seq: 2 }, at)).toEqual(["0001, line 1: how it begins"]);
});
