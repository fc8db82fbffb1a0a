import { execFileSync } from "node:child_process";
import type { Project } from "./harness.ts";

/** Words that let git check a repository, without a process each for two kinds of file that none of the tests' repositories has. */
export const FSCK = [
  ...["-c", "core.commitGraph=false", "-c", "core.multiPackIndex=false"],
  ...["fsck", "--strict", "--no-dangling", "--no-progress"],
];

/** Runs git in a project, or in another folder with its environment: its output, without blanks around it. */
export function git({ dir, env }: Pick<Project, "dir" | "env">, ...words: string[]): string {
  return execFileSync("git", words, { cwd: dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}
