/** Compares `ralph import --no-agent`, and its scores of issues, with the recorded task imports of the originals. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { completenessOf } from "../../src/setup/tasks/completeness.ts";
import deviations from "./deviations/setup.json" with { type: "json" };
import { inFolder, ralphIn } from "./run-setup.ts";

type Case = {
  id: string;
  name: string;
  case: { function: string; args: string[]; inputs: { name: string; text: string }[]; argv?: string[] };
  expected: {
    original: {
      rc: number;
      output: {
        confidence_score: number;
        completeness_level: string;
        missing_elements: string[];
        recommendation: string;
      };
    };
    ours: { rule: string; why: string; expect?: { exit: number; plan_items: string[]; found_items: string[] } };
  };
};

const listed: Readonly<Record<string, string>> = deviations;
const all = readFileSync(new URL("data/tasks/cases.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line): Case => JSON.parse(line));
const judged = all.filter(({ expected }) => expected.ours.rule !== "free");
const scored = all.filter(({ case: { function: name }, expected }) => name === "score" && expected.original.rc === 0);

describe("recorded outcomes of tasks", () => {
  test("name a judged case in every listed deviation", () => {
    expect(Object.keys(listed).filter((id) => id.startsWith("tasks/") && judged.every((one) => one.id !== id))).toEqual(
      [],
    );
  });
  for (const { id, name, case: setup, expected } of judged) {
    test(`${name}: ${expected.ours.why}`, async () => {
      const found = await judge(setup, expected.ours.expect);
      if (listed[id] === undefined) expect(found).toEqual([]);
      else expect(found).not.toEqual([]);
    });
  }
});

describe("the score of an issue", () => {
  test.each(
    scored.map(
      ({ name, case: { args, inputs }, expected }) =>
        [name, inputs[0]?.text ?? "", args[0], expected.original.output] as const,
    ),
  )("equals the recorded one for %s", (_, text, threshold, recorded) => {
    const { score, level, missing, recommendation } = completenessOf(
      text,
      threshold === undefined ? 60 : Number(threshold),
    );
    expect({ confidence_score: score, completeness_level: level, missing_elements: missing, recommendation }).toEqual(
      recorded as never,
    );
  });
});

async function judge(
  { inputs, argv = [] }: Case["case"],
  expected: Case["expected"]["ours"]["expect"],
): Promise<string[]> {
  return inFolder(Object.fromEntries(inputs.map(({ name, text }) => [name, text])), async ({ dir, read }) => {
    const { exit } = await ralphIn(dir, argv);
    const boxes = (read(".ralph/@fix_plan.md") ?? "")
      .split("\n")
      .flatMap((line) => /^\s*[-*+] \[.\] (.*)$/.exec(line)?.[1] ?? []);
    const files = readdirSync(join(dir, ".ralph"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".md"),
    );
    const texts = files.map((path) => read(join(".ralph", path)) ?? "");
    return [
      ...(exit === expected?.exit ? [] : [`exit ${exit}`]),
      ...(expected?.plan_items ?? []).flatMap((item) => (boxes.includes(item) ? [] : [`no box ${item}`])),
      ...(expected?.found_items ?? []).flatMap((item) =>
        texts.some((text) => text.includes(item)) ? [] : [`${item} is lost`],
      ),
    ];
  });
}
