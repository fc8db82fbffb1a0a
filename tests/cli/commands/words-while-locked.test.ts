/** Words of a person while another command has the project's lock, or a run that ends: they are kept, whichever came first. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { run as answer } from "../../../src/cli/commands/inbox-answer.ts";
import { run as say } from "../../../src/cli/commands/say.ts";
import { INBOX_ANSWER } from "../../../src/cli/definitions/inbox.ts";
import { SAY } from "../../../src/cli/definitions/say.ts";
import { projectState } from "../../../src/cli/project-state.ts";
import { recordInNewestRun } from "../../../src/cli/reset.ts";
import { takeLock } from "../../../src/effects/journal/lock.ts";
import { testFolders } from "../../folders.ts";
import { fakeContext } from "../fake-context.ts";

const folder = testFolders("words");
const env = { HOME: folder(), PATH: process.env.PATH };

/** A project whose newest run left two questions, and a lock that somebody holds. */
async function locked() {
  const projectDir = folder();
  mkdirSync(join(projectDir, ".ralph"));
  writeFileSync(join(projectDir, ".ralph", "PROMPT.md"), "Do it.\n");
  await recordInNewestRun({ projectDir, env }, async ({ append }) => {
    append({ type: "iteration_started", number: 1, call: 1, resume: null, plan: null, head: null, snapshot: null });
    for (const text of ["Which database?", "Which colour?"])
      append({ type: "question_asked", kind: "question", task: text, text, parked: true });
    append({ type: "iteration_interrupted", number: 1, why: "a test" });
  });
  const lock = takeLock(join(projectDir, ".ralph", "lock"), { pid: process.pid, startTime: null, run: "0002-later" });
  if (!lock.held) throw new Error("The lock is held by another.");
  return { projectDir, release: lock.release };
}

test("an answer that meets another command's lock waits for it, and reaches its own question", async () => {
  const { projectDir, release } = await locked();
  const { context, written } = fakeContext(parseArgs(INBOX_ANSWER, ["2", "Blue"]), { projectDir, env });
  const answered = answer(context);
  release();
  expect(await answered).toBe(0);
  expect(written.out).toContain("Answered: it goes into the next prompt.");
  const { state } = await projectState(projectDir);
  expect(state.inbox.open.map(({ number }) => number)).toEqual([1]);
  expect(state.said.map(({ text }) => text)).toEqual(["To your question “Which colour?” (task: Which colour?):\nBlue"]);
});

test("what is said while the lock's holder goes is kept for the next run", async () => {
  const { projectDir, release } = await locked();
  const { context, written } = fakeContext(parseArgs(SAY, ["Use", "yargs"]), { projectDir, env });
  const said = say(context);
  release();
  expect(await said).toBe(0);
  expect(written.out).toContain("it goes into the first prompt of the next one");
  expect((await projectState(projectDir)).state.said.map(({ text }) => text)).toEqual(["Use yargs"]);
});

test("of two answers to one question one is taken, and the other is told so", async () => {
  const { projectDir, release } = await locked();
  const answers = ["Red", "Blue"].map((text) =>
    answer(fakeContext(parseArgs(INBOX_ANSWER, ["2", text]), { projectDir, env }).context),
  );
  release();
  const ends = await Promise.allSettled(answers);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await projectState(projectDir)).state.said).toHaveLength(1);
});
