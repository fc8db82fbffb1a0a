/** Scripts of the project's own that gates run: one that an agent emptied proves nothing, wherever it lies. */
import { afterAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import type { Step } from "../../agents/scripted.ts";
import { answer } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const PLAN = ".ralph/@fix_plan.md";
const WANTED = "set -e\ntest -f made.txt\n";
const EMPTIED = "set -e\n: all is well\n";

type Given = {
  command: string;
  files: Record<string, string>;
  settings?: string;
  left?: Record<string, string>;
  links?: Record<string, string>;
};

/** A project with one task; `left`: files that lie there and that git does not see; `links`: links to where they lead. */
function given({ command, files, settings = "", left = {}, links = {} }: Given, steps: readonly Step[]): Project {
  const rc = `DONE_POLICY=evidence\nTEST_COMMAND="${command}"\n${settings}`;
  const at = project({
    files: { ".ralph/PROMPT.md": "Do the next task.\n", [PLAN]: "- [ ] one\n", ".ralphrc": rc, ...files },
    steps,
  });
  for (const [path, text] of Object.entries(left)) at.write(path, text);
  for (const [path, to] of Object.entries(links)) symlinkSync(to.replace("PROJECT", at.dir), at.path(path));
  return at;
}

/** Ticks the box without making what the check asks for, writes files, and says that all is done. */
const claims = (files: Record<string, string>): Step => ({
  files: { [PLAN]: "- [x] one\n", "work.txt": "1\n", ...files },
  stdout: answer({ status: "COMPLETE", exit: true, text: "All of it is in place." }),
});

const CHECKS: (Given & { is: string; emptied: Record<string, string> })[] = [
  { is: "a script", command: "sh check.sh", files: { "check.sh": WANTED }, emptied: { "check.sh": EMPTIED } },
  {
    is: "a script in a folder",
    command: "sh scripts/ci.sh",
    files: { "scripts/ci.sh": WANTED },
    emptied: { "scripts/ci.sh": EMPTIED },
  },
  {
    is: "a script that ends early",
    command: "sh verify.sh",
    files: { "verify.sh": WANTED },
    emptied: { "verify.sh": `exit\n${WANTED}` },
  },
  {
    is: "what GATE_FILES names",
    command: "sh check.sh",
    settings: "GATE_FILES=rules.sh\n",
    files: { "check.sh": "set -e\n. ./rules.sh\nall_rules\n", "rules.sh": "all_rules() { test -f made.txt; }\n" },
    emptied: { "rules.sh": "all_rules() { :; }\n" },
  },
  {
    is: "a script in .ralph",
    command: "sh .ralph/check.sh",
    files: {},
    left: { ".ralph/check.sh": WANTED },
    emptied: { ".ralph/check.sh": EMPTIED },
  },
  {
    is: "a script that git ignores",
    command: "sh local/check.sh",
    files: { ".gitignore": "local\n" },
    left: { "local/check.sh": WANTED },
    emptied: { "local/check.sh": EMPTIED },
  },
];

/** What a gate runs through a link, which stays as it is when the file changes to which it leads. */
const LINKED: typeof CHECKS = [
  {
    is: "a script that a link leads to",
    command: "sh check.sh",
    files: { "tools/all.sh": WANTED },
    links: { "check.sh": "tools/all.sh" },
    emptied: { "tools/all.sh": EMPTIED },
  },
  {
    is: "a script that an absolute link leads to",
    command: "sh check.sh",
    files: { "tools/all.sh": WANTED },
    links: { "check.sh": "PROJECT/tools/all.sh" },
    emptied: { "tools/all.sh": EMPTIED },
  },
  {
    is: "what GATE_FILES names by a link",
    command: "sh check.sh",
    settings: "GATE_FILES=rules.sh\n",
    files: {
      "check.sh": "set -e\n. ./rules.sh\nall_rules\n",
      "shared/all.sh": "all_rules() { test -f made.txt; }\n",
    },
    links: { "rules.sh": "shared/all.sh" },
    emptied: { "shared/all.sh": "all_rules() { :; }\n" },
  },
  {
    is: "a script in a folder that a link leads to",
    command: "sh tools/all.sh",
    files: { "scripts/all.sh": WANTED },
    links: { tools: "scripts" },
    emptied: { "scripts/all.sh": "exit 0\n" },
  },
];

// Windows lets few users make links.
if (process.platform !== "win32") CHECKS.push(...LINKED);

describe.concurrent("an agent that empties its check", () => {
  test.each(CHECKS)("$is: hears of it once, and then a person decides", async ({ emptied, ...parts }) => {
    const at = given(parts, [claims(emptied), claims({})]);
    const { exit } = await at.ralph();
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([6, "gate_weakened", 2]);
    expect(at.event("gate_weakened")).toMatchObject({ evidence: "frozen_gate_is_red" });
    expect(at.calls()[1]?.stdin).toContain("Put its files back as they were");
    expect((await at.ralph("gates", "restore")).exit).toBe(0);
    for (const [path, text] of Object.entries({ ...parts.files, ...parts.left }))
      if (path in emptied) expect(at.read(path)).toBe(text);
  });

  test.each(CHECKS)("$is: puts it back, does the work, and is done", async ({ emptied, ...parts }) => {
    const back = Object.fromEntries(
      Object.entries({ ...parts.files, ...parts.left }).filter(([path]) => path in emptied),
    );
    const at = given(parts, [claims(emptied), claims({ ...back, "made.txt": "1\n" })]);
    const { exit } = await at.ralph();
    expect([exit, at.calls().length, at.event("run_finished")?.proof]).toEqual([0, 2, "gates"]);
  });
});

test("a folder in the place of its check: a copy tells that it is weaker, and it is put back, the folder kept", async () => {
  const shell = "rm check.sh && mkdir check.sh && echo kept > check.sh/note.txt";
  const at = given({ command: "sh check.sh", files: { "check.sh": WANTED } }, [{ ...claims({}), shell }, claims({})]);
  expect((await at.ralph()).exit).toBe(6);
  expect(at.event("gate_weakened")).toMatchObject({ evidence: "frozen_gate_is_red" });
  const { exit, stdout } = await at.ralph("gates", "restore");
  expect([exit, at.read("check.sh"), at.read("check.sh.changed-1/note.txt")]).toEqual([0, WANTED, "kept\n"]);
  expect(stdout).toContain("check.sh.changed-1");
});

describe.concurrent("a check that changes with honest work is no weaker", () => {
  test.each([
    ["more is asked", `${WANTED}test -f work.txt\n`],
    ["the same is asked in other words", 'set -eu\n[ -f "made.txt" ]\n'],
  ])("%s", async (_, text) => {
    const at = given({ command: "sh check.sh", files: { "check.sh": WANTED } }, [
      claims({ "check.sh": text, "made.txt": "1\n" }),
    ]);
    const { exit } = await at.ralph();
    expect([exit, at.calls().length, at.event("gate_weakened")]).toEqual([0, 1, undefined]);
  });

  test("and beside one in .ralph, which runs in the copy too, a test may get other words", async () => {
    const at = given(
      {
        command: "sh .ralph/check.sh",
        files: { "tests/made.test.sh": WANTED },
        left: { ".ralph/check.sh": "sh tests/made.test.sh\n" },
      },
      [claims({ "tests/made.test.sh": "set -e\n[ -f made.txt ]\n", "made.txt": "1\n" })],
    );
    const { exit } = await at.ralph();
    expect([exit, at.calls().length, at.event("gate_weakened")]).toEqual([0, 1, undefined]);
  });
});
