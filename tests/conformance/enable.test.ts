/** Compares `ralph setup` with the recorded set-ups of the originals (the data's README explains the fields). */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import deviations from "./deviations/setup.json" with { type: "json" };
import { mismatches } from "./match.ts";
import { inFolder, ralphIn } from "./run-setup.ts";

type Expectation = {
  exit: number;
  exit_second?: number;
  error?: boolean;
  has_files?: string[];
  kept_files?: Record<string, string>;
  kept_prefix?: Record<string, string>;
  absent_files?: string[];
  files_kept_contains?: string[];
} & Record<string, unknown>;
type Case = {
  id: string;
  name: string;
  case: {
    files: Record<string, string>;
    setup: string;
    argv: string[];
    run_twice: boolean;
    change_between?: Record<string, string>;
  };
  expected: { ours: { rule: string; why: string; expect: Expectation } };
};

const listed: Readonly<Record<string, string>> = deviations;
const cases = readFileSync(new URL("data/enable/cases.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line): Case => JSON.parse(line))
  .filter(({ expected }) => expected.ours.rule !== "free");

describe("recorded outcomes of enable", () => {
  test("name a judged case in every listed deviation", () => {
    expect(Object.keys(listed).filter((id) => id.startsWith("enable/") && cases.every((one) => one.id !== id))).toEqual(
      [],
    );
  });
  for (const { id, name, case: setup, expected } of cases) {
    test(`${name}: ${expected.ours.why}`, async () => {
      const found = await judge(setup, expected.ours.expect);
      if (listed[id] === undefined) expect(found).toEqual([]);
      else expect(found).not.toEqual([]);
    });
  }
});

async function judge(setup: Case["case"], expect: Expectation): Promise<string[]> {
  return inFolder(setup.files, async ({ dir, read, write }) => {
    if (setup.setup !== "") Bun.spawnSync(["sh", "-c", setup.setup], { cwd: dir });
    const first = await ralphIn(dir, setup.argv);
    for (const [path, text] of Object.entries(setup.change_between ?? {})) write(path, text);
    const second = setup.run_twice ? await ralphIn(dir, setup.argv) : null;
    const {
      exit,
      exit_second,
      error,
      has_files = [],
      kept_files = {},
      kept_prefix = {},
      absent_files = [],
      files_kept_contains = [],
      ...fields
    } = expect;
    const document = first.error === null ? JSON.parse(first.out) : {};
    return [
      ...mismatches(
        { exit, exit_second, error: error === true ? true : undefined },
        { exit: first.exit, exit_second: second?.exit, error: first.error === null ? undefined : true },
      ),
      ...mismatches(fields, document),
      ...has_files.flatMap((path) => (read(path) === null ? [`${path} is missing`] : [])),
      ...absent_files.flatMap((path) => (read(path) === null ? [] : [`${path} is there`])),
      ...Object.entries(kept_files).flatMap(([path, text]) =>
        read(path) === text ? [] : [`${path} is not what it was`],
      ),
      ...Object.entries(kept_prefix).flatMap(([path, text]) =>
        read(path)?.startsWith(text) === true ? [] : [`${path} lost its beginning`],
      ),
      ...files_kept_contains.flatMap((path) =>
        document.files_kept?.includes(path) ? [] : [`files_kept lacks ${path}`],
      ),
    ];
  });
}
