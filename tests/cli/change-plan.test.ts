/** A change to the plan loses nothing that another program writes at the same moment. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { changePlan } from "../../src/cli/change-plan.ts";
import { PLAN_ADD } from "../../src/cli/definitions/plan.ts";
import { takeLock } from "../../src/effects/journal/lock.ts";
import { startTimeOf } from "../../src/effects/process-tree/process-tree.ts";
import { addTask } from "../../src/setup/plan/edit-plan.ts";
import { testFolders } from "../folders.ts";
import { fakeContext } from "./fake-context.ts";

const newFolder = testFolders("change-plan");

function made() {
  const projectDir = newFolder();
  const plan = join(projectDir, "fix_plan.md");
  writeFileSync(join(projectDir, "PROMPT.md"), "Do the next task.\n");
  writeFileSync(plan, "- [ ] one\n");
  const { context, written } = fakeContext(parseArgs(PLAN_ADD, ["two"]), { projectDir, env: { HOME: projectDir } });
  return { plan, context, written };
}

/** Adds a task, once `before` has happened between its reading of the plan and its writing. */
const adding =
  (before: () => void): Parameters<typeof changePlan>[1] =>
  ({ text }) => {
    before();
    return { edit: addTask(text, "two", { kind: "last", openLines: [1] }), says: (task) => `Added ${task}` };
  };

test("a tick that the agent writes while a task is added stays", () => {
  const { plan, context, written } = made();
  let reads = 0;
  changePlan(
    context,
    adding(() => {
      reads += 1;
      if (reads === 1) writeFileSync(plan, "- [x] one\n- [ ] found on the way\n");
    }),
  );
  expect(readFileSync(plan, "utf8")).toBe("- [x] one\n- [ ] two\n- [ ] found on the way\n");
  expect(written.out).toBe("Added 2: two\n");
});

test("nothing is written while another ralph writes the plan, and in the end it is told so", () => {
  const { plan, context, written } = made();
  const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: "plan" };
  const other = takeLock(`${plan}.lock.tmp`, me);
  expect(other.held).toBe(true);
  const change = () =>
    changePlan(
      context,
      adding(() => {}),
      2,
    );
  expect(change).toThrow("Another program is writing the plan all the time: nothing was changed.");
  expect(readFileSync(plan, "utf8")).toBe("- [ ] one\n");
  if (other.held) other.release();
  change();
  expect(written.out).toBe("Added 2: two\n");
});

test("a plan that changes all the time is left alone", () => {
  const { plan, context } = made();
  let reads = 0;
  const change = adding(() => {
    reads += 1;
    writeFileSync(plan, `- [ ] one, in its version ${reads}\n`);
  });
  expect(() => changePlan(context, change, 2)).toThrow("nothing was changed");
  expect(readFileSync(plan, "utf8")).toBe(`- [ ] one, in its version ${reads}\n`);
});
