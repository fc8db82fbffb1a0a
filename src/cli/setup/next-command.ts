import type { FoundAgent } from "../../setup/decide.ts";
import type { Site } from "./look-around.ts";

/** The one command to type after a set-up. */
export function nextCommand(
  site: Pick<Site, "dir" | "folder" | "findings">,
  {
    here,
    openTasks,
    driver,
    agents,
  }: { here: string; openTasks: number; driver: string; agents: readonly FoundAgent[] },
): { command: string; why: string } {
  const enter = site.dir === here ? "" : `cd ${shellWord(site.folder)} && `;
  const agent = agents.find(({ name }) => name === driver);
  if (agent?.available === false)
    return { command: `${enter}ralph doctor`, why: `${agent.displayName} is not installed yet: this says how` };
  if (openTasks > 0) return { command: `${enter}ralph`, why: "begins with the first task" };
  const [prd] = site.findings.prds;
  if (prd !== undefined) return { command: `${enter}ralph import ${shellWord(prd)}`, why: "makes tasks of it" };
  return { command: `${enter}ralph`, why: "once .ralph/@fix_plan.md says what to do" };
}

/** A word as every shell reads it. */
function shellWord(word: string): string {
  return /^[\w./@-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, "\\$&")}"`;
}
