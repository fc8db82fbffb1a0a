/** Every spelling of an id: a requirement gets a box, any other id is listed. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { convertDocument } from "../../../src/setup/import/formats/convert-document.ts";
import { idsWithoutTask } from "../../../src/setup/import/read/requirement-names.ts";
import { readTasks } from "../../../src/setup/import/read/requirements.ts";
import { mergePlan } from "../../../src/setup/plan/merge.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";
import { leadingId } from "../../../src/setup/plan/requirement-id.ts";
import { idOfBox } from "../../../src/setup/plan/task.ts";
import { seed } from "../../seed.ts";

const prefixes = ["FR", "REQ", "NFR-SEC", "GD", "US", "SHOP", "A1"] as const;
const codes: readonly ((n: number) => string)[] = [
  (n) => `-${n}`,
  (n) => `-${String(n).padStart(3, "0")}`,
  (n) => `_${n}`,
  (n) => `-${n}.${n}`,
  (n) => `-${n}a`,
];
const markups: readonly ((id: string, words: string) => string)[] = [
  (id, words) => `${id}: ${words}`,
  (id, words) => `${id} ${words}`,
  (id, words) => `${id} - ${words}`,
  (id, words) => `${id} – ${words}`,
  (id, words) => `${id}. ${words}`,
  (id, words) => `${id}) ${words}`,
  (id, words) => `**${id}** ${words}`,
  (id, words) => `**${id}:** ${words}`,
  (id, words) => `**${id}**: ${words}`,
  (id, words) => `**${id}: ${words}**`,
  (id, words) => `__${id}__ ${words}`,
  (id, words) => `*${id}* ${words}`,
  (id, words) => `\`${id}\` ${words}`,
  (id, words) => `[${id}] ${words}`,
  (id, words) => `(${id}) ${words}`,
  (id, words) => `[${id}](https://example.org/${id}) ${words}`,
  (id, words) => `**[${id}]** ${words}`,
  (id, words) => `<a id="x"></a>${id}: ${words}`,
  (id, words) => `${id.replaceAll("-", "\\-").replaceAll("_", "\\_")}: ${words}`,
  (id, words) => `${words} (${id})`,
  (id, words) => `${words} [${id}]`,
];
const containers: readonly ((lines: string[]) => string)[] = [
  (lines) => lines.map((line) => `- ${line}`).join("\n"),
  (lines) => lines.map((line) => `* ${line}`).join("\n\n"),
  (lines) => lines.map((line, n) => `${n + 1}. ${line}`).join("\n"),
  (lines) => lines.map((line) => `- [ ] ${line}`).join("\n"),
  (lines) => lines.map((line) => `### ${line}\n\nMore of it.`).join("\n\n"),
  (lines) => lines.map((line) => `#### ${line}`).join("\n"),
  (lines) => `- The store\n${lines.map((line) => `  - ${line}`).join("\n")}`,
];
const heads = [
  "## Requirements",
  "## 3. Functional requirements",
  "## Checkout",
  "# Shop\n\nWords.\n\n## Search",
] as const;

const document = fc.record({
  prefix: fc.constantFrom(...prefixes),
  code: fc.constantFrom(...codes),
  markup: fc.constantFrom(...markups),
  container: fc.constantFrom(...containers),
  head: fc.constantFrom(...heads),
  numbers: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom("\n", "\r\n"),
});

describe("an id", () => {
  test("gets a box in every markup and container, and the box is found again", () => {
    fc.assert(
      fc.property(document, ({ prefix, code, markup, container, head, numbers, end }) => {
        const ids = numbers.map((number) => `${prefix}${code(number)}`);
        const lines = ids.map((id, n) => markup(id, `the shop does thing ${"abcd"[n]}`));
        const text = `${head}\n\n${container(lines)}\n`.replaceAll("\n", end);
        const { tasks } = convertDocument({ name: "x.md", text });
        const plan = newPlan("x", tasks);
        const boxes = [...plan.matchAll(/^- \[ \] (.*)$/gm)].map((match) => idOfBox(match[1] ?? ""));
        expect(boxes).toEqual(expect.arrayContaining(ids));
        expect(mergePlan(plan, tasks)).toMatchObject({ added: [], updated: [] });
      }),
      { seed, numRuns: 800 },
    );
  });

  test.each<(id: string) => string>([
    (id) => `| ID | Requirement |\n|---|---|\n| ${id} | x y |`,
    (id) => `ID | Requirement\n---|---\n${id} | x y`,
    (id) => `| Ref | Requirement | Priority |\n|:-:|---|--:|\n| **${id}** | x y | High |`,
    (id) => `| Requirement | ID |\n|---|---|\n| x y | \`${id}\` |`,
    (id) => `| ${id} | x y |`,
    (id) => `| What | How |\n|---|---|\n| ${id}: x y | z |`,
    (id) => `${id}: x y`,
    (id) => `**${id}** x y`,
    (id) => `\`${id}\` x y`,
    (id) => `${id} x y`,
    (id) => `${id}\tx y`,
    (id) => `[${id}] x y`,
    (id) => `${id}\n\nx y`,
    (id) => `Words.\n${id} x y\nmore`,
    (id) => `The shop can do x y (${id}).`,
  ])("gets a box at the start of a paragraph or in a table: %p", (written) => {
    for (const id of ["REQ-2", "FR-1.2", "US_3"])
      expect(readTasks(`${written(id)}\n`, { specOf: null }).map((task) => task.id)).toEqual([id]);
  });

  test("of a chapter's statement gets a box", () => {
    const ids = (text: string) => readTasks(text, { specOf: null }).map(({ id, title }) => `${id}: ${title}`);
    expect(ids("## Needs\n2.1 The user must sign in.\n2.2 The user can leave.\n")).toEqual([
      "2.1: The user must sign in.",
      "2.2: The user can leave.",
    ]);
    expect(ids("### 2.1 The user must sign in\n### 2.2 Users can leave\n")).toEqual([
      "2.1: The user must sign in",
      "2.2: Users can leave",
    ]);
  });

  test("is ignored if it names a norm, a level or a version", () => {
    const names = [
      "2026-01-15",
      "v1.2",
      "ISO-8601",
      "UTF-8",
      "SHA-256",
      "HTTP-404",
      "RFC-2119",
      "COVID-19",
      "P1",
      "TLS-1.3",
    ];
    for (const name of names)
      for (const markup of markups) {
        const line = markup(name, "the shop does it");
        const text = `## Checkout\n\nThe till.\n\n${line}\n`;
        expect([line, readTasks(text, { specOf: null }).map(({ id }) => id)]).toEqual([line, [null]]);
        expect([line, idsWithoutTask(text, [])]).toEqual([line, []]);
      }
  });

  test("in an explanation is listed as one without a box", () => {
    const text =
      "# App\nSee FR-9 and UTF-8.\n## Goals\n- G-1: be rich\n## Features\n- FR-1: in\n- FR-2: out, after FR-1\n## Out of scope\n- FR-3: fax\n## Risks\n| ID | Risk |\n|--|--|\n| R-1 | rain |\n";
    const tasks = readTasks(text, { specOf: null });
    expect(tasks.map(({ id }) => id)).toEqual(["FR-1", "FR-2"]);
    expect(idsWithoutTask(text, tasks)).toEqual(["FR-9", "G-1", "FR-3", "R-1"]);
  });

  test("reads back unchanged from its own box", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...prefixes),
        fc.constantFrom(...codes),
        fc.integer({ min: 1, max: 999 }),
        (prefix, code, n) => {
          const id = `${prefix}${code(n)}`;
          expect(leadingId(`**${id}** x`)?.id).toBe(id);
        },
      ),
      { seed },
    );
  });
});
