import { afterAll, expect, test } from "bun:test";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { inFolder, ralphIn } from "../../conformance/run-setup.ts";

const ISSUES = [
  { number: 1, title: "Old and vague", body: "x", state: "open", labels: [], created_at: "2026-01-01" },
  {
    number: 2,
    title: "Urgent",
    body: "## Acceptance criteria\n- [ ] FR-1: it works\n- [ ] FR-2: it is fast\n",
    state: "open",
    labels: [{ name: "P0" }],
    created_at: "2026-02-01",
  },
];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const number = /\/issues\/(\d+)$/.exec(new URL(request.url).pathname)?.[1];
    return Response.json(number === undefined ? ISSUES : ISSUES[Number(number) - 1]);
  },
});
afterAll(() => server.stop(true));

const env = { GITHUB_API_URL: `http://127.0.0.1:${server.port}` };
/** A repository whose origin is on GitHub, with just the files that ralph reads. */
const files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": '[remote "origin"]\n\turl = git@github.com:o/r.git\n',
  ".git/objects/x": "",
  ".git/refs/x": "",
  ".ralph/PROMPT.md": "mine\n",
  ".ralph/@fix_plan.md": "- [x] [#1] Old\n",
};
const boxes = (text: string | null) => parsePlan(text ?? "", []).tasks.map((task) => task.text);

test("importing issues makes them tasks, and ticked ones stay ticked", () =>
  inFolder(files, async ({ dir, read }) => {
    const { exit, out } = await ralphIn(dir, ["import", "--from", "github", "--json"], env);
    expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 0, tasks_imported: 1 });
    expect(read(".ralph/@fix_plan.md")).toContain("- [x] [#1] Old and vague");
    expect(boxes(read(".ralph/@fix_plan.md"))).toEqual(["[#2] Urgent"]);
    expect(JSON.parse((await ralphIn(dir, ["import", "--from", "github", "--json"], env)).out)).toMatchObject({
      already: true,
    });
  }));

test("importing without a source takes the tasks of TASK_SOURCES", () =>
  inFolder({ ...files, ".ralph/.ralphrc": "TASK_SOURCES=local,github\n" }, async ({ dir, read }) => {
    const { exit, out } = await ralphIn(dir, ["import", "--json"], env);
    expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 0, tasks_imported: 1 });
    expect(boxes(read(".ralph/@fix_plan.md"))).toEqual(["[#2] Urgent"]);
  }));

test("import of one issue reads it as a document and rates its detail in percent", () =>
  inFolder(files, async ({ dir, read }) => {
    const { exit, out } = await ralphIn(dir, ["import", "#2", "--no-agent"], env);
    expect({ exit, said: out.includes("Issue #2 says 40 %") }).toEqual({ exit: 0, said: true });
    expect(read(".ralph/specs/requirements.md")).toContain("# Urgent");
    // Its criteria mean nothing without the title above them.
    expect(read(".ralph/@fix_plan.md")).toMatch(/^### #2: Urgent\n\n- \[ \] FR-1: it works$/m);
  }));

test("an issue imported alone and in a list is one task, in either order", () =>
  inFolder({ ...files, ".ralph/@fix_plan.md": "# Plan\n" }, async ({ dir, read }) => {
    const importAgain = async (...argv: string[]) => {
      await ralphIn(dir, ["import", "--no-agent", ...argv], env);
      return boxes(read(".ralph/@fix_plan.md"));
    };
    expect(await importAgain("#1")).toEqual(["[#1] Old and vague"]);
    expect(await importAgain("o/r#2")).toEqual(["FR-1: it works", "FR-2: it is fast", "[#1] Old and vague"]);
    expect(await importAgain("--from", "github")).toHaveLength(3);
    // The same number in another repository is another issue.
    expect(await importAgain("https://github.com/Q/r/issues/1")).toContain("[q/r#1] Old and vague");
    expect(read(".ralph/specs/r-issue-1.md")).toContain("# Old and vague");
  }));

test("importing an issue puts its criteria below its box", () =>
  inFolder({ ...files, ".ralph/@fix_plan.md": "- [ ] [#2] Urgent\n  > mine\n- [ ] next\n" }, async ({ dir, read }) => {
    const plan = "- [ ] [#2] Urgent\n  > mine\n  - [ ] FR-1: it works\n";
    await ralphIn(dir, ["import", "#2", "--no-agent"], env);
    const first = read(".ralph/@fix_plan.md") ?? "";
    expect(first.startsWith(plan)).toBe(true);
    expect(boxes(first)).toEqual(["[#2] Urgent", "FR-1: it works", "FR-2: it is fast", "next"]);
    await ralphIn(dir, ["import", "#2", "--no-agent"], env);
    expect(read(".ralph/@fix_plan.md")).toBe(first);
  }));

test("import takes an issue by its number", () =>
  inFolder(files, async ({ dir, read }) => {
    expect((await ralphIn(dir, ["import", "#1", "--no-agent"], env)).exit).toBe(0);
    // The plan has it already, ticked.
    expect(read(".ralph/@fix_plan.md")).toContain("- [x] [#1] Old and vague");
  }));

test("setup imports the tasks of a PRD only with --from prd", () =>
  inFolder({ "docs/prd.md": "- [ ] first\n1. second\n" }, async ({ dir, read }) => {
    expect(JSON.parse((await ralphIn(dir, ["setup", "--json"])).out)).toMatchObject({
      tasks_imported: 0,
      next: expect.stringContaining("ralph"),
    });
    expect(boxes(read(".ralph/@fix_plan.md"))).toEqual([]);
    expect(JSON.parse((await ralphIn(dir, ["setup", "--json", "--from", "prd"])).out)).toMatchObject({
      tasks_imported: 2,
      already: false,
    });
    expect(boxes(read(".ralph/@fix_plan.md"))).toEqual(["first", "second"]);
  }));
