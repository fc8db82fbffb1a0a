import { afterAll, expect, test } from "bun:test";
import { FASTER } from "../../../scripts/proof/beside/ours.ts";
import type { Step } from "../../agents/scripted.ts";
import { answer, SESSION, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

/** The minute after the third idle answer passes ten times as fast where `faketime` is installed. */
const FAST = Bun.which("faketime") === null ? [] : FASTER;

const times = (n: number, step: (nth: number) => Step) => Array.from({ length: n }, (_, index) => step(index + 1));
const line = (nth: number) => ({ "infra/main.tf": `tries = ${nth}\n` });

test.concurrent("an agent that is denied each time ends within ten iterations, and no screen gives it a tick", async () => {
  const denied = answer({
    text: "I was not allowed to apply it.",
    denied: "terraform apply -auto-approve",
    cost: 0.41,
  });
  const at = project({ steps: times(50, (nth) => ({ files: line(nth), stdout: denied })) });
  const { exit, stdout, stderr } = await at.ralph("--max-iterations", "50");
  expect({ exit, calls: at.calls().length }).toEqual({ exit: 3, calls: 5 });
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "denied_repeatedly" });
  expect(at.status()).toMatchObject({ status: "halted", exit_reason: "denied_repeatedly" });
  const shown = [
    stdout + stderr,
    ...(await Promise.all([at.ralph("logs"), at.ralph("report")])).map((screen) => screen.stdout),
  ];
  for (const screen of shown) expect(screen).not.toMatch(/✓ +Denied|\d ✓/);
  expect(shown[0]).toContain("  ! Denied: Bash(terraform apply -auto-approve); 1 file changed.");
  expect(shown[0]).toContain("At 5 the run ends (SAME_DENIAL_THRESHOLD)");
  expect(shown[0]).toContain("--allowed-tools");
  expect(at.calls()[3]?.stdin).toContain("in each of the last 3 answers");
});

test.concurrent("an agent that changes one line again and again ends as one that gets nothing done", async () => {
  const at = project({ steps: times(20, (nth) => ({ files: line(nth), stdout: answer() })) });
  const { exit, stdout } = await at.ralph("--max-iterations", "20");
  expect({ exit, calls: at.calls().length }).toEqual({ exit: 3, calls: 8 });
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "no_headway" });
  expect(stdout).toContain("8 iterations in a row changed nothing but infra/main.tf: no box ticked, no commit.");
});

test.concurrent("a task whose check turned green ends as done, though the agent never says so", async () => {
  const manifest = JSON.stringify({ scripts: { test: "test -f src/2.txt" } });
  const at = project({
    files: { "package.json": manifest },
    steps: [works(1), works(2), ...times(9, () => ({ stdout: answer({ text: "Everything is in place." }) }))],
  });
  const { exit, stdout } = await at.ralph("make it work", "--max-iterations", "20");
  expect({ exit, calls: at.calls().length }).toEqual({ exit: 0, calls: 5 });
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "proven_complete" });
  expect(at.status()).toMatchObject({ status: "completed", exit_reason: "proven_complete" });
  expect(stdout).toContain("Nothing is left to do");
  const prompts = at.calls().map(({ stdin }) => stdin);
  expect(prompts[3]).toContain("Green: `npm test`.");
  expect(at.calls().map(({ argv }) => argv.includes("--resume"))).toEqual([false, true, true, true, false]);
});

test.concurrent("an agent that is denied what is left to do is not taken for one that finds nothing to do", async () => {
  const manifest = JSON.stringify({ scripts: { test: "test -f src/2.txt" } });
  const denied = ["docker compose up", "terraform apply", "make deploy", "gh pr create"].map((command) => ({
    stdout: answer({ text: `I may not run ${command}: the deployment is still open.`, denied: command }),
  }));
  const at = project({ files: { "package.json": manifest }, steps: [works(1), works(2), ...denied] });
  const { exit } = await at.startUnder(FAST, "deploy it", "--max-iterations", "6").ended;
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations" });
  expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 6 });
});

/** A test is written first, seen red in the words of cargo, and made green: the box is ticked. */
function testFirst(nth: number, boxes: number): Step {
  const red = "Exit code 101\nerror: test failed, to rerun pass `--lib`";
  const result = { type: "tool_result", tool_use_id: `t${nth}`, is_error: true, content: red };
  const failed = { type: "user", message: { role: "user", content: [result] }, session_id: SESSION };
  const plan = Array.from({ length: boxes }, (_, box) => `- [${box < nth ? "x" : " "}] step ${box + 1}\n`).join("");
  return {
    files: { [`src/${nth}.rs`]: `${nth}\n`, ".ralph/@fix_plan.md": `# Plan\n${plan}` },
    stdout: `${JSON.stringify(failed)}\n${answer()}`,
  };
}

test.concurrent("an agent that sees its new test fail in each iteration, and ticks its box, works through the plan", async () => {
  const at = project({ steps: times(8, (nth) => testFirst(nth, 8)) });
  at.write(".ralph/@fix_plan.md", `# Plan\n${"- [ ] step\n".repeat(8)}`);
  const { exit } = await at.ralph("--max-iterations", "20");
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "plan_complete" });
  expect({ exit, calls: at.calls().length }).toEqual({ exit: 0, calls: 8 });
});

/** A build of cargo that fails with one error, and the next time with another one. */
function buildFails(error: string, nth: number): Step {
  const content = `Exit code 101\n   Compiling shop v0.1.0 (/srv/shop)\n${error}\n --> src/lib.rs:${nth}:5\n\nerror: could not compile \`shop\` (lib) due to 1 previous error`;
  const result = { type: "tool_result", tool_use_id: `t${nth}`, is_error: true, content };
  const failed = { type: "user", message: { role: "user", content: [result] }, session_id: SESSION };
  return { files: { [`src/${nth}.rs`]: `${nth}\n` }, stdout: `${JSON.stringify(failed)}\n${answer()}` };
}

test.concurrent.each([
  [
    "ever other errors of a compiler are not the same error",
    ["cart", "price", "total", "tax", "stock", "order"],
    4,
    "max_iterations",
  ],
  ["the same error of a compiler is", Array(6).fill("cart"), 3, "repeated_error"],
])("%s", async (_what, names, code, stop_reason) => {
  const steps = names.map((name, nth) => buildFails(`error[E0425]: cannot find value \`${name}\` in this scope`, nth));
  const at = project({ steps });
  const { exit } = await at.ralph("--max-iterations", "6");
  expect(at.event("run_finished")).toMatchObject({ stop_reason });
  expect(exit).toBe(code);
});
