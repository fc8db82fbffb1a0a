import { execFileSync } from "node:child_process";
import type { Project } from "./harness.ts";

/** Runs git in a project, or in another folder with its environment: its output, without blanks around it. */
export function git({ dir, env }: Pick<Project, "dir" | "env">, ...words: string[]): string {
  return execFileSync("git", words, { cwd: dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}
