/** Iterations are named by their work: the box that they ticked, else their commit, else what the agent said. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

const PLAN = (...ticks: string[]) => `# Plan\n- [${ticks[0]}] Add a menu\n- [ ] Print the bill\n`;
const commit = (subject: string) => `git add -A && git -c commit.gpgsign=false commit -qm "${subject}" -m body`;
const steps = [
  { files: { "a.txt": "1", ".ralph/@fix_plan.md": PLAN("x") }, shell: commit("feat: menu"), stdout: answer() },
  {
    files: { "b.txt": "1" },
    shell: `${commit("fix: a price")} && echo 2 > b.txt && ${commit("fix: two")}`,
    stdout: answer(),
  },
  { files: { "c.txt": "1" }, stdout: answer({ text: "I looked for the bill." }) },
];

test.skipIf(process.platform === "win32")(
  "ticked task, commit and first words name iterations in every view",
  async () => {
    const files = { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/@fix_plan.md": PLAN(" ") };
    const at = project({ files, steps });
    const { stdout } = await at.ralph("run", "--max-iterations", "3");
    expect(stdout).toMatch(/Iteration 1 {2}Add a menu ─/);
    expect(stdout).toMatch(/Iteration 2 {2}Print the bill ─/);
    expect(stdout).toContain("✓ Add a menu · Progress");
    expect(stdout).toContain("✓ fix: a price · Progress");
    const { iterations } = JSON.parse((await at.ralph("report", "--json")).stdout);
    const subjects = iterations.map(({ commit_subjects }: { commit_subjects: { id: string; subject: string }[] }) =>
      commit_subjects.map(({ subject }) => subject),
    );
    expect(subjects).toEqual([["feat: menu"], ["fix: two", "fix: a price"], []]);
    expect(iterations[2].summary).toBe("I looked for the bill.");
    expect(iterations[2]).toHaveProperty("recommendation");
    const names = ["Add a menu", "fix: a price", "I looked for the bill."];
    expect(iterations.map(({ name }: { name: string }) => name)).toEqual(names);
    const report = (await at.ralph("report")).stdout;
    expect(report).toMatch(
      /\nCommits\n {3}[0-9a-f]{7} feat: menu\n {3}[0-9a-f]{7} fix: a price\n {3}[0-9a-f]{7} fix: two\n/,
    );
    const page = (await at.ralph("report", "--html", "-")).stdout;
    const log = at.read(".ralph/logs/ralph.log");
    for (const name of names) {
      expect(report).toContain(`${name} · Progress`);
      expect(page).toContain(`<b>${name}</b> · Progress`);
      expect(log).toContain(`ended: ${name} · Progress`);
    }
    expect(report).toMatch(/\n {2}plan +1 of 2 done · next: Print the bill\n/);
    expect(report).toMatch(/\n {2}next +Go on with: ralph run --max-iterations 3\n/);
    expect(page).toContain(
      "<p>Next: <b>Print the bill</b></p><p>Go on with: <code>ralph run --max-iterations 3</code></p>",
    );
    expect(page).toMatch(/✓<\/span> Add a menu<.*<td>→ Print the bill<\/td>/);
    expect((await at.ralph("logs")).stdout).toContain("✓ fix: a price · Progress");
  },
);
