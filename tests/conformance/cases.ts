import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mismatches } from "./match.ts";

type Case<Setup> = {
  id: string;
  name: string;
  case: Setup;
  expected: { ours: { rule: "same" | "differs" | "free"; why: string; expect: Record<string, unknown> } };
};

/**
 * Adds one test for each judged case of a group of pure rules. Deviations are listed with their reasons in a file
 * beside this one; an outdated one fails.
 * @param outcome ralph's result for the case
 */
export function judge<Setup>(
  group: string,
  outcome: (setup: Setup) => unknown,
  deviationsFile = "deviations/core.json",
): void {
  const deviations = readJson<Record<string, string>>(deviationsFile);
  const lines = readText(`data/${group}/cases.jsonl`).split("\n").filter(Boolean);
  const cases = lines.map((line) => JSON.parse(line) as Case<Setup>).filter((one) => one.expected.ours.rule !== "free");
  describe(`recorded outcomes of ${group}`, () => {
    test("name a judged case in every listed deviation", () => {
      const listed = Object.keys(deviations).filter((id) => id.startsWith(`${group}/`));
      expect(listed.filter((id) => cases.every((one) => one.id !== id))).toEqual([]);
    });
    for (const { id, name, case: setup, expected } of cases) {
      test(`${name}: ${expected.ours.why}`, () => {
        const differences = mismatches(expected.ours.expect, outcome(setup));
        if (deviations[id] === undefined) expect(differences).toEqual([]);
        else expect(differences).not.toEqual([]);
      });
    }
  });
}

function readJson<T>(path: string): T {
  return JSON.parse(readText(path)) as T;
}

function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
