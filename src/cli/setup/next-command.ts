import { typedWord } from "../../core/text/shell-words.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import type { Site } from "./inspect-site.ts";

/** What to type next, and why. `words` are those of `ralph run`, where that is a first run that has work. */
export type NextCommand = { command: string; why: string; words: readonly string[] | null };

/** The one command to type after a set-up. */
export function nextCommand(
  site: Pick<Site, "dir" | "folder" | "findings">,
  {
    here,
    plan,
    tasks,
    driver,
    agents,
  }: {
    here: string;
    plan: string;
    tasks: { total: number; unchecked: number };
    driver: string;
    agents: readonly FoundAgent[];
  },
): NextCommand {
  const enter = site.dir === here ? "" : `cd ${shellWord(site.folder)} && `;
  const agent = agents.find(({ name }) => name === driver);
  if (agent?.available === false)
    return {
      command: `${enter}ralph doctor`,
      why: `${agent.displayName} is not installed yet: this says how`,
      words: null,
    };
  if (tasks.unchecked > 0) return { command: `${enter}ralph`, why: "begins with the first task", words: [] };
  const { modes, kind } = site.findings.layout;
  const mode = modes.includes("build") ? "build" : modes[0];
  if (mode !== undefined && kind !== "ralph" && kind !== "flat")
    return { command: `${enter}ralph run ${mode}`, why: `works by PROMPT-${mode}.md`, words: [mode] };
  // They may be those of a document that is there: to name it leads in a circle.
  if (tasks.total > 0)
    return { command: `${enter}ralph plan add "TEXT"`, why: `every task of ${plan} is done`, words: null };
  const prd = site.findings.todo?.path ?? site.findings.prds[0];
  if (prd !== undefined)
    return { command: `${enter}ralph import ${shellWord(prd)}`, why: "makes tasks of it", words: null };
  return { command: `${enter}ralph`, why: `when ${plan} says what to do`, words: null };
}

/** The same for a project whose runs are refused as it is: a run would only say so once more. */
export function afterRefusal(next: NextCommand): NextCommand {
  const command = next.command.replace(/(^|&& )ralph(?: run .*)?$/, "$1ralph doctor");
  return command === next.command ? next : { ...next, command, why: "until nothing there blocks a run" };
}

/** A name as a word that can be typed, and that is no flag. */
export function shellWord(name: string): string {
  return typedWord(name.startsWith("-") ? `./${name}` : name);
}
