import fs from "node:fs";
import { join } from "node:path";
import plan from "../../templates/demo/fix_plan.md" with { type: "text" };
import prompt from "../../templates/demo/PROMPT.md" with { type: "text" };
import script from "../../templates/demo/script.json" with { type: "json" };
import { makeTemporaryFolder } from "../effects/files/temporary-folder.ts";

export type DemoProject = { dir: string; scriptFile: string; stateFile: string; remove(): void };

/**
 * Creates a git project in a temporary folder, with a prompt, a plan of three tasks, and a script that completes it.
 */
export async function createDemoProject(): Promise<DemoProject> {
  const root = makeTemporaryFolder("ralph-demo-");
  const dir = join(root, "greeter");
  fs.mkdirSync(join(dir, ".ralph"), { recursive: true });
  fs.writeFileSync(join(dir, ".ralph", "PROMPT.md"), prompt);
  fs.writeFileSync(join(dir, ".ralph", "@fix_plan.md"), plan);
  const scriptFile = join(root, "script.json");
  fs.writeFileSync(scriptFile, JSON.stringify(script));
  await firstCommit(dir);
  return {
    dir,
    scriptFile,
    stateFile: join(root, "state.json"),
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}

async function firstCommit(dir: string): Promise<void> {
  const git = await import("isomorphic-git");
  await git.init({ fs, dir, defaultBranch: "main" });
  await git.add({ fs, dir, filepath: [".ralph/PROMPT.md", ".ralph/@fix_plan.md"] });
  await git.commit({
    fs,
    dir,
    message: "chore: a project for the demo",
    author: { name: "ralph demo", email: "demo@localhost" },
  });
}
