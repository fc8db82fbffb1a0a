/** Five documents of real size and different habits: no numbered requirement may get lost. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { convertDocument } from "../../../src/setup/import/formats/convert-document.ts";
import { plainMarkdown } from "../../../src/setup/import/formats/plain-markdown.ts";
import { findGaps } from "../../../src/setup/import/read/gaps.ts";
import { idsWithoutTask } from "../../../src/setup/import/read/requirement-names.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";

/** Patterns for the ids of requirements, and for the ids in explanations. */
const documents: [name: string, ids: RegExp, context: RegExp | null, atLeast: number][] = [
  ["saas.md", /\b(?:WS|AUTH|INV|CUS|PAY|REP|API|ADM|NFR)-\d+/g, /\bM-\d/, 65],
  ["cli-tool.md", /\b(?:FR-\d\.\d|NFR-\d)/g, /\bR-1\b/, 17],
  ["game.md", /\bGD-\d/g, null, 14],
  ["data-pipeline.md", /\bDP-\d{3}/g, null, 25],
  ["mobile-app.txt", /\b(?:REQ-\d{3}|NFR-\d{2})/g, null, 18],
];

describe.each(documents)("%s", (name, ids, context, atLeast) => {
  const source = readFileSync(new URL(`../../fixtures/prds/${name}`, import.meta.url), "utf8");
  const text = name.endsWith(".txt") ? plainMarkdown(source) : source;
  const converted = convertDocument({ name, text });
  const { tasks, specs, title } = converted;
  const plan = newPlan(title, tasks);

  test("gives a task to every numbered requirement, once", () => {
    const wanted = [...new Set(source.match(ids))];
    expect(wanted.length).toBeGreaterThan(3);
    const planned = tasks.flatMap(({ id }) => id ?? []);
    expect(wanted.filter((id) => !planned.includes(id))).toEqual([]);
    expect(new Set(planned).size).toBe(planned.length);
    expect(tasks.length).toBeGreaterThanOrEqual(atLeast);
  });

  test("makes no task of an explanation", () => {
    if (context !== null) expect(tasks.filter(({ id }) => id !== null && context.test(id))).toEqual([]);
    expect(
      tasks.filter((task) => /advertising|support answers|EU stations|wiki page|no server/i.test(task.title)),
    ).toEqual([]);
  });

  test("names the ids that have no task", () => {
    const unplanned = idsWithoutTask(text, tasks);
    expect(unplanned.filter((id) => new RegExp(ids.source).test(id))).toEqual([]);
    for (const id of new Set(context === null ? [] : source.match(new RegExp(context.source, "g"))))
      expect(unplanned).toContain(id);
  });

  test("keeps every word in the specs", () => {
    const words = (all: string) => all.match(/[\p{L}\p{N}]+/gu) ?? [];
    const kept = specs.map(({ content }) => content).join("\n");
    const counts = new Map<string, number>();
    for (const word of words(kept)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of words(source)) counts.set(word, (counts.get(word) ?? 0) - 1);
    expect([...counts].filter(([, left]) => left < 0)).toEqual([]);
    expect(findGaps(text, [plan, kept])).toEqual([]);
  });

  test("makes a plan whose boxes read back, and whose specs exist", () => {
    expect(parsePlan(plan, []).counts.unchecked).toBe(tasks.filter(({ done }) => !done).length);
    const named = [...plan.matchAll(/Spec: ([^#\n]+)/g)].map((match) => match[1]);
    const paths = specs.map(({ path }) => path);
    expect(named.filter((path) => !paths.includes(path ?? ""))).toEqual([]);
  });

  test("is converted to the same files each time", () => expect(convertDocument({ name, text })).toEqual(converted));
});

test("the longest document is split into a spec for each chapter", () => {
  const text = readFileSync(new URL("../../fixtures/prds/saas.md", import.meta.url), "utf8");
  expect(convertDocument({ name: "saas.md", text }).specs.length).toBeGreaterThan(4);
});

test("the urgency in a table's column becomes the task's priority", () => {
  const text = readFileSync(new URL("../../fixtures/prds/cli-tool.md", import.meta.url), "utf8");
  const priorities = Object.fromEntries(
    convertDocument({ name: "x", text }).tasks.map(({ id, priority }) => [id, priority]),
  );
  expect(priorities).toMatchObject({ "NFR-1": "high", "NFR-3": "medium", "NFR-4": "low" });
});
