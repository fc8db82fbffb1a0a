import { writeFileSync } from "node:fs";
import type { Answer } from "../agent.ts";
import { runGate } from "../project.ts";
import { gapSeen, look } from "../stranger.ts";
import type { State } from "./state.ts";

/** One side of a round of a loop in which one agent works and another judges: the task, and the file that it hands in. */
type Side = { role: "generator" | "evaluator"; task: number; file: string };

/**
 * The folder of a task's rounds has the name of the task's id, which ends with its number (ralphctl.ts): only the first prompt of a
 * conversation names the task otherwise.
 * @returns null if the prompt asks for no file of a round; else the last that it names, which is its own
 */
export function sideIn(prompt: string): Side | null {
  const named = [...prompt.matchAll(/\/[^\s`'"]*-(\d+)\/rounds\/\d+\/(generator|evaluator)\/signals\.json/g)];
  const [file, task, role] = named.at(-1) ?? [];
  if (file === undefined || (role !== "generator" && role !== "evaluator")) return null;
  return { role, task: Number(task), file };
}

/** What a judge of one task finds: it runs the task's own test, as it is asked, and beyond that it sees a fault as a stranger does. */
export function judge(state: State, number: number): { answer: Answer; fault: string | null } {
  state.looks += 1;
  const looks = state.memory.calls + state.looks;
  const project = { ...state.project, tasks: state.project.tasks.filter((task) => task.number === number) };
  const isRed = runGate(project, project.files, "accepts").exit !== 0;
  const fault = isRed || gapSeen(project, looks) !== null ? `not ok: task ${number} does what was asked` : null;
  return { answer: look(project, looks), fault };
}

/** Hands in a verdict. */
export function handInVerdict(file: string, fault: string | null): void {
  const passed = fault === null;
  const finding = fault ?? "It does what was asked.";
  const dimensions = ["correctness", "completeness", "safety", "consistency", "robustness"].map((dimension) => {
    const isIt = dimension === "correctness";
    return isIt
      ? { dimension, passed, finding, executionEvidence: finding }
      : { dimension, passed: true, finding: "good" };
  });
  const evaluation = { type: "evaluation", status: passed ? "passed" : "failed", dimensions };
  const criteria = [{ id: "C1", passed, evidence: finding }];
  handIn(file, [{ ...evaluation, criteria, ...(passed ? {} : { critique: finding }) }]);
}

/** Hands in work, or that none was done. */
export function handInWork(file: string, finishedTask: boolean): void {
  const note = { type: "note", text: "I looked around." };
  const work = [
    { type: "change", text: "worked on the task" },
    { type: "task-verified", output: "its test is green" },
    { type: "commit-message", subject: "feat: the task", body: "Why: the plan asks for it." },
    { type: "task-complete" },
  ];
  handIn(file, finishedTask ? work : [note]);
}

function handIn(file: string, signals: readonly object[]): void {
  const timestamp = new Date().toISOString();
  const told = { schemaVersion: 1, signals: signals.map((signal) => ({ ...signal, timestamp })) };
  writeFileSync(file, JSON.stringify(told));
}
