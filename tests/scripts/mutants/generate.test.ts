import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "../../../scripts/lib/paths.ts";
import { choose } from "../../../scripts/mutants/choose.ts";
import { mutantsOf, mutated } from "../../../scripts/mutants/generate.ts";
import { operators } from "../../../scripts/mutants/operators/all.ts";
import { seed } from "../../seed.ts";

const file = "src/core/sample.ts";
const mutantsIn = (source: string) => mutantsOf(new Map([[file, source]]));

/** What the operator makes of a statement, whole. */
const madeBy = (operator: string, source: string) =>
  mutantsIn(source)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => mutated(source, mutant));

const rows: readonly [operator: string, source: string, made: readonly string[]][] = [
  ["boundary", "f(a < b);", ["f(a <= b);"]],
  ["opposite comparison", "f(a === b);", ["f(a !== b);"]],
  ["calculation", "f(a + 1);", ["f(a - 1);"]],
  ["assignment", "a += 1;", ["a -= 1;"]],
  ["and, or", "f(a && b);", ["f((a || b));"]],
  ["default", "f(a ?? 0);", ["f((0));"]],
  ["default", "f(a ?? b);", ["f((b));", "f((a));", "f((a || b));"]],
  ["default", "f(a() ?? b());", ["f((b()));", "f((a()));", "f(b() ?? a());"]],
  ["condition", "if (a > 1) f();", ["if (true) f();", "if (false) f();"]],
  ["condition", "f(a ? b : c);", ["f(!(a) ? b : c);"]],
  ["loop never entered", "while (a < 1) a++;", ["while (false) a++;"]],
  ["not", "f(!a);", ["f(a);"]],
  ["true, false", "f(true);", ["f(false);"]],
  ["optional chain", "f(a?.b);", ["f(a.b);"]],
  ["optional chain", "f(a?.[0]);", ["f(a[0]);"]],
  ["optional chain", "f(a?.());", ["f(a());"]],
  ["number", "f(0, 1, 2, 1_000, 0.25);", ["f(1, 1, 2, 1_000, 0.25);", "f(0, 0, 2, 1_000, 0.25);"]],
  ["sign", "f(-1);", ["f(1);"]],
  ["pattern", "f(/^a$/i);", ["f(/a$/i);", "f(/^a/i);", "f(/^a$/);"]],
  ["other method", "f(a.some(b));", ["f(a.every(b));"]],
  ["method forgotten", "f(a.trim());", ["f(a);"]],
  ["bounds of a part", "f(a.slice(-20));", ["f(a.slice(0, 20));"]],
  ["bounds of a part", "f(a.slice(1, 3));", ["f(a.slice(1));"]],
  ["bounds of a part", "f(a.at(-1));", ["f(a.at(0));"]],
  ["member left out", "f({ ...a, b: 1, c });", ["f({ ...a, c });", "f({ ...a, b: 1 });"]],
  ["member left out", "f([...a, b]);", ["f([b]);", "f([...a]);"]],
  ["statement left out", "for (const a of b) { f(a); break; }", ["for (const a of b) { ; break; }"]],
];

test.each(rows)("%s makes of %p: %p", (operator, source, made) => {
  expect(madeBy(operator, source)).toEqual(expect.arrayContaining([...made]));
});

test("every operator has a row in the table above", () => {
  expect(new Set(rows.map(([operator]) => operator))).toEqual(new Set(operators.map(({ name }) => name)));
});

test.each([
  'import { a } from "./a.ts";',
  "type A = { a: 1; b: true; c: -1 };",
  "const a: 1 | true = b;",
  "/** 1 < 2 and true */",
  'const a = f("1 < 2", `and true`);',
  "const a = { 1: b };",
])("nothing is made of what only the compiler or people read: %s", (source) => {
  expect(mutantsIn(source)).toEqual([]);
});

test("joined text is not calculated with", () => expect(madeBy("calculation", 'f("a" + b + c);')).toEqual([]));

test("a value behind a type is mutated, its type is not", () => {
  expect(madeBy("number", "f([1] as [1], 2 satisfies 2);")).toEqual([
    "f([0] as [1], 2 satisfies 2);",
    "f([1] as [1], 3 satisfies 2);",
  ]);
});

describe("of the whole core and of runs", () => {
  const sources = new Map(
    [...new Bun.Glob("src/{core,run}/**/*.ts").scanSync(root)].map((path) => [
      path.replaceAll("\\", "/"),
      readFileSync(join(root, path), "utf8"),
    ]),
  );
  const mutants = mutantsOf(sources);
  const sourceOf = (path: string) => sources.get(path) ?? "";

  test("there are thousands, each with an id of its own", () => {
    expect(mutants.length).toBeGreaterThan(3_000);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });
  test("each says truly what stood where, and changes it", () => {
    const wrong = mutants.filter(
      ({ file, start, end, before, after }) => sourceOf(file).slice(start, end) !== before || before === after,
    );
    expect(wrong).toEqual([]);
  });
  test("each of a thousand still parses", () => {
    const broken = choose(mutants, 1_000, seed).filter(
      (mutant) => parseSync(mutant.file, mutated(sourceOf(mutant.file), mutant)).errors.length > 0,
    );
    expect(broken).toEqual([]);
  });
  test("they are the same a second time", () => expect(mutantsOf(sources)).toEqual(mutants));
});

test("a mutant keeps its id when its file moves to another folder, or lines come before it", () => {
  const ids = (path: string, source: string) => mutantsOf(new Map([[path, source]])).map(({ id }) => id);
  const source = "if (a < 1) f(a < 1);\nif (a < 1) f(a < 1);\n";
  expect(ids("src/core/deep/sample.ts", `// a line\n${source}`)).toEqual(ids(file, source));
  expect(new Set(ids(file, source)).size).toBe(16);
});

test("the line of a mutant counts from 1", () => {
  expect(mutantsIn("f(0);\nf(true);\n").map(({ line, operator }) => [line, operator])).toEqual([
    [1, "statement left out"],
    [1, "number"],
    [2, "statement left out"],
    [2, "true, false"],
  ]);
});
