/** Imports a document again after edits to its plan, its specs and itself. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { convertedContent } from "../../../src/cli/import/document-content.ts";
import { readBoxes } from "../../../src/setup/plan/boxes.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";
import { planScaffold } from "../../../src/setup/scaffold.ts";
import { placesOf } from "../../../src/setup/scaffold-files.ts";
import { seed } from "../../seed.ts";
import { fakeFiles } from "../../setup/fake-files.ts";

type Project = Record<string, string>;

const PLAN = ".ralph/@fix_plan.md";
const SPEC = ".ralph/specs/requirements.md";
const places = placesOf({ prompt: null, plan: null, agent: null, settings: null });
const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The project after `ralph import prd.md --no-agent`. */
function imported(project: Project, text: string, name = "prd.md"): Project {
  const files = fakeFiles(project);
  const { tasks, files: specs } = convertedContent({ files }, { name, text });
  const plan = { path: places.plan, content: newPlan("x", tasks), ours: false };
  const request = { places, tasks, changeSettings: (settings: string) => settings, force: false, version: "1" };
  const actions = planScaffold({ ...request, files: [plan, ...specs] }, files, digest);
  return {
    ...project,
    ...Object.fromEntries(actions.flatMap((one) => ("content" in one ? [[one.path, one.content]] : []))),
  };
}

type Requirement = { id: number; title: string; details: string[] };

const TITLES = ["Sign in", "Sign out", "Sign in with a key", "Pay by card", "Pay later", "Export", "Search", "Share"];
const DETAILS = ["at once", "by mail", "three tries", "in any language"];
const requirement = fc.record({
  title: fc.constantFrom(...TITLES),
  details: fc.uniqueArray(fc.constantFrom(...DETAILS), { maxLength: 2 }),
});
const layouts: readonly ((all: readonly Requirement[]) => string)[] = [
  (all) =>
    all
      .map(({ id, title, details }) => `## FR-${id} ${title}\n\n${details.map((one) => `- ${one}\n`).join("")}`)
      .join("\n"),
  (all) =>
    `## Requirements\n\n${all.map(({ id, title, details }) => `- FR-${id}: ${title}\n${details.map((one) => `  - ${one}\n`).join("")}`).join("")}`,
  (all) =>
    `## Features\n\n${all.map(({ title, details }) => `- ${title}\n${details.map((one) => `  - ${one}\n`).join("")}`).join("")}`,
];
const documentEdits: readonly ((all: Requirement[], at: number) => Requirement[])[] = [
  (all) => all,
  (all, at) => all.map((one, index) => (index === at ? { ...one, title: "Something new" } : one)),
  (all, at) => all.map((one, index) => (index === at ? { ...one, details: ["other words"] } : one)),
  (all, at) => all.filter((_, index) => index !== at),
  (all, at) => numbered(all.toSpliced(at, 0, { id: 0, title: "Put in between", details: ["soon"] })),
  (all, at) => [...all, { id: 40 + at, title: "Behind all", details: [] }],
  (all) => all.toReversed(),
  (all) => numbered(all.toReversed()),
];

const numbered = (all: readonly Omit<Requirement, "id">[]): Requirement[] =>
  all.map((one, index) => ({ ...one, id: index + 1 }));

const changeBox = (plan: string, at: number, change: (line: string) => string[]): string => {
  const lines = plan.split("\n");
  const boxes = readBoxes(plan, lines);
  const box = boxes[at % boxes.length];
  return box === undefined ? plan : lines.toSpliced(box.line, 1, ...change(lines[box.line] ?? "")).join("\n");
};
const planEdits: readonly ((plan: string, at: number) => string)[] = [
  (plan) => plan,
  (plan, at) => changeBox(plan, at, (line) => [line.replace("[ ]", "[x]")]),
  (plan, at) => changeBox(plan, at, (line) => [`${line} as mine says`]),
  (plan, at) => changeBox(plan, at, (line) => ["- [ ] mine alone", line]),
  (plan, at) => changeBox(plan, at, (line) => ["- [x] mine, ticked", line]),
  (plan, at) => changeBox(plan, at, (line) => [line, "  > mine, a note"]),
  (plan, at) => changeBox(plan, at, (line) => [line, "  - [x] mine, a step"]),
  (plan, at) => changeBox(plan, at, () => []),
  (plan) => `${plan}\n## Mine\n\n- [ ] FR-2: mine by number\n- [x] FR-1: mine by number, ticked\n`,
];
const specEdits: readonly ((spec: string) => string)[] = [
  (spec) => spec,
  (spec) => `${spec}\n## Mine\n\nwords\n`,
  (spec) => spec.replace(/^## .*$/m, "## Mine instead"),
  () => "mine alone",
];

const many = <T>(edits: readonly T[]) =>
  fc.array(fc.tuple(fc.constantFrom(...edits), fc.nat({ max: 5 })), { maxLength: 3 });

const life = fc.record({
  first: fc.uniqueArray(requirement, { minLength: 1, maxLength: 5, selector: ({ title }) => title }).map(numbered),
  layout: fc.constantFrom(...layouts),
  ofDocument: many(documentEdits),
  ofPlan: many(planEdits),
  ofSpec: fc.constantFrom(...specEdits),
  end: fc.constantFrom("\n", "\r\n"),
});

const ticked = (plan: string) => readBoxes(plan, plan.split(/\r?\n/)).filter(({ done }) => done).length;
/** The user's lines. The number of an edited requirement is dropped: it may change. */
const mine = (text: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => /\bmine\b/.test(line))
    .map((line) => (line.endsWith("as mine says") ? line.replace(/FR-\d+: /, "") : line))
    .sort();

describe("importing a document again", () => {
  test("keeps the user's ticks and words, adds every id, and adds nothing twice", () => {
    fc.assert(
      fc.property(life, ({ first, layout, ofDocument, ofPlan, ofSpec, end }) => {
        const document = (all: readonly Requirement[]) => `# Shop\n\n${layout(all)}`;
        const before = imported({}, document(first));
        const plan = ofPlan.reduce((text, [edit, at]) => edit(text, at), before[PLAN] ?? "");
        const edited = {
          ...before,
          [PLAN]: plan.replaceAll("\n", end),
          [SPEC]: ofSpec(before[SPEC] ?? "").replaceAll("\n", end),
        };
        const second = ofDocument.reduce((all, [edit, at]) => edit(all, all.length === 0 ? 0 : at % all.length), first);
        const text = document(second);
        const after = imported(edited, text);
        const now = after[PLAN] ?? "";

        expect(ticked(now)).toBe(ticked(plan));
        expect(mine(now)).toEqual(mine(plan));
        const ids = readBoxes(now, now.split(/\r?\n/)).map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining(text.match(/FR-\d+/g) ?? []));
        expect(imported(after, text)).toEqual(after);
      }),
      { seed, numRuns: 500 },
    );
  });

  test("updates tasks that the user has not edited", () => {
    const text = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n  - three tries\n- FR-2: Pay\n";
    const first = imported({}, text);
    const second = imported(first, text.replace("Sign in", "Log in").replace("three", "five"));
    expect(second[PLAN]).toBe((first[PLAN] ?? "").replace("Sign in", "Log in").replace("three", "five"));
  });
});
