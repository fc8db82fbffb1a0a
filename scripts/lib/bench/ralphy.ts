import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type RunCost, runLoop } from "./bench-run.ts";

/** Runs ralphy, unmodified, with the fast agent in a project. `env`: variables for the agent. */
export type Ralphy = (run: { project: string; iterations: number; env: Record<string, string> }) => Promise<RunCost>;

/** More tasks than any measurement has iterations: ralphy ends with its plan. */
const TASKS = 1000;

/**
 * ralphy from the folder of peers; null without one. It records nothing and looks at no file.
 * @param folder where the agent gets the name that ralphy starts
 * @throws Error if the folder has no ralphy (`npm run proof` says how to get it)
 */
export function ralphyIn(peers: string | null, folder: string, agent: string): Ralphy | null {
  if (peers === null) return null;
  const program = resolve(peers, "npm/node_modules/.bin/ralphy");
  if (!existsSync(program)) throw new Error(`there is no ${program}`);
  const bin = join(folder, "ralphy-agent");
  mkdirSync(bin);
  symlinkSync(agent, join(bin, "claude"));
  const PATH = `${bin}${delimiter}${process.env.PATH ?? ""}`;
  return ({ project, iterations, env }) => {
    const plan = Array.from({ length: TASKS }, (_, nth) => `- [ ] Task ${nth}\n`).join("");
    writeFileSync(join(project, "PRD.md"), plan);
    const words = ["--claude", "--prd", "PRD.md", "--max-iterations", String(iterations), "--no-commit"];
    return runLoop([program, ...words], { project, exit: 0, env: { ...env, PATH } });
  };
}
