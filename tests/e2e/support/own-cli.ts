/** Projects with an agent of their own (tests/agents/own-cli.ts) and a driver file for it. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import type { OwnCall } from "../../agents/own-cli.ts";
import { type Project, type ProjectOptions, project, wholeLines } from "./harness.ts";

export type OwnProject = Project & { ownCalls(): OwnCall[] };

/**
 * @param driver name of the file below `.ralph/drivers`, and its content
 * @param tool path of the agent's program from the project folder
 */
export function ownProject(
  driver: { file: string; text: string },
  { tool = "tools/own-cli", ...options }: ProjectOptions & { tool?: string } = {},
): OwnProject {
  const files = { ".ralph/PROMPT.md": "Do the next task.\n", [`.ralph/drivers/${driver.file}`]: driver.text };
  const made = project({ ...options, files: { ...files, ...options.files } });
  const calls = join(made.dir, "..", "own-calls");
  mkdirSync(calls);
  mkdirSync(join(made.dir, tool, ".."), { recursive: true });
  const words = [process.execPath, join(root, "tests/agents/own-cli.ts"), calls].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(made.dir, tool), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(made.dir, tool), 0o755);
  return {
    ...made,
    ownCalls: () => wholeLines(join(calls, "calls.jsonl")).map((line): OwnCall => JSON.parse(line)),
  };
}

/** A file of the tests' agents. */
export function agentFile(name: string): string {
  return readFileSync(join(root, "tests/agents", name), "utf8");
}

/** The word after a flag. */
export function after(argv: readonly string[], flag: string): string | undefined {
  return argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
}
