import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { planText, type Task } from "../project.ts";
import type { State } from "./state.ts";

/**
 * Makes the files of the project what its state says: sources, tests, plan; then commits what the agent changed. A wrong task
 * whose fault the gate misses looks right to its test.
 */
export function putFiles({ root, project, memory, planFile, planAs }: State): void {
  for (const path of new Set([...memory.original.keys(), ...project.files.keys()])) {
    const text = project.files.get(path);
    if (text === undefined) rmSync(join(root, path), { force: true });
    else put(join(root, path), text);
  }
  for (const task of project.tasks) {
    if (task.truth !== "open") put(join(root, `src/task-${task.number}.js`), sourceOf(task));
  }
  if (planFile !== null) put(join(root, planFile), `# Plan\n\n${planText(project, planAs)}\n`);
  git(root, "add", "-A", ".");
  git(root, "commit", "-q", "--allow-empty-message", "-m", `call ${memory.calls}`);
}

/** A repository with one commit. */
export function initRepository(root: string): void {
  git(root, "init", "-q", "-b", "main");
  git(root, "config", "user.name", "Proof");
  git(root, "config", "user.email", "proof@example.invalid");
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function sourceOf({ number, truth, checked }: Task): string {
  const value = truth === "right" || !checked ? `${number}` : `"not what was asked"`;
  return `export const task${number} = () => ${value};\n`;
}

/** Git may have nothing to commit: that is no failure. */
function git(root: string, ...words: readonly string[]): void {
  const { error, status, stderr } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0 && words[0] !== "commit") throw new Error(`git ${words.join(" ")} in ${root} failed: ${stderr}`);
}
