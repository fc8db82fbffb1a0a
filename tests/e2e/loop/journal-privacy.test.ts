/** What an agent may do to ralph's files without taking the journal into the project's history, or a second ralph in. */
import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const inNamespace = ["unshare", "-pf", "--mount-proc", "--kill-child"];
const hasNamespaces =
  process.platform === "linux" && spawnSync(inNamespace[0] ?? "", [...inNamespace.slice(1), "true"]).status === 0;

test("an agent that deletes .ralph/.gitignore and commits everything does not commit the journal", async () => {
  const shell = "rm -f .ralph/.gitignore; git add -A; git commit -qm all";
  const at = project({ steps: [{ ...works(1), shell }] });
  await at.ralph("--max-iterations", "1");
  const { stdout } = Bun.spawnSync(["git", "ls-files", ".ralph"], { cwd: at.dir, env: at.env });
  expect(String(stdout).trim().split("\n").sort()).toEqual([".ralph/@fix_plan.md", ".ralph/PROMPT.md"]);
  expect(at.has(".ralph/.gitignore")).toBe(true);
  const told = at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
  expect(told.filter((text) => text.includes(".ralph/.gitignore (put back)"))).toHaveLength(1);
});

describe.skipIf(!hasNamespaces)("in another PID namespace on a host of the same name", () => {
  test("a ralph waits for none that lives, and takes over from one that was killed with its container", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: "go" }] });
    const first = at.startUnder(inNamespace, "--max-iterations", "1");
    await until("a call", () => at.calls().length === 1);
    for (const wrapper of [[], inNamespace]) {
      const { exit, stderr } = await at.startUnder(wrapper, "--max-iterations", "1").ended;
      expect(exit).toBe(7);
      expect(stderr).toContain(`on ${hostname()}, in another container`);
      expect(stderr).toContain(at.path(".ralph/lock"));
    }
    expect(at.calls()).toHaveLength(1);
    first.kill("SIGKILL");
    await first.ended;
    at.write("go", "");
    expect((await at.ralph("--max-iterations", "1")).exit).toBe(4);
    expect(at.event("run_recovered")).toBeDefined();
  });
  test("a ralph that wakes after its successor has ended leaves all of that as it is, and fails with 7", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: "go" }, works(2), works(3)] });
    const first = at.startUnder(inNamespace, "--max-iterations", "1");
    await until("a call", () => at.calls().length === 1);
    const inside = Number(readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, "utf8"));
    process.kill(inside, "SIGSTOP");
    utimesSync(at.path(".ralph/lock"), new Date(0), new Date(0));
    expect((await at.ralph("--max-iterations", "1")).exit).toBe(4);
    const left = () => [
      readdirSync(at.path(".ralph"), { recursive: true }).sort(),
      at.status(),
      at.events(1),
      at.events(2),
    ];
    const before = left();
    process.kill(inside, "SIGCONT");
    const { exit, stderr } = await first.ended;
    expect(exit).toBe(7);
    expect(stderr).toContain("Another ralph took this project over while this one was suspended");
    expect(left()).toEqual(before);
  });
});
