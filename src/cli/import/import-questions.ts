import * as clack from "@clack/prompts";
import { plain } from "../../view/text/text.ts";

/** Who turns a document into plan and specs. */
export type Importer = { agent: string } | "rules";

export function showIntro(): void {
  clack.intro("ralph import");
}

export function say(text: string): void {
  clack.log.info(text);
}

export function warn(text: string): void {
  clack.log.warn(text);
}

/**
 * Asks where a project is to be that nobody named a folder for.
 * @param name of the new folder
 * @param here this folder is offered first: it holds nothing but what is imported
 * @returns the name, null for this folder, undefined if the person went away
 */
export async function askPlace(name: string, here: boolean): Promise<string | null | undefined> {
  const options = [
    { value: "new", label: `a new folder, ./${name}` },
    { value: "here", label: "this folder" },
  ];
  const chosen = await clack.select({
    message: "Where is the project to be?",
    options: here ? options.toReversed() : options,
    showInstructions: false,
  });
  return clack.isCancel(chosen) ? undefined : chosen === "new" ? name : null;
}

/** Asks who is to read the document: a call costs. Null if nobody, or if the person went away. */
export async function askImporter(
  document: string,
  agents: readonly { driver: string; displayName: string }[],
): Promise<Importer | null> {
  const chosen = await clack.select({
    message: `Who reads ${plain(document)} and plans the work?`,
    options: [
      ...agents.map(({ driver, displayName }) => ({
        value: `agent:${driver}`,
        label: displayName,
        hint: "one call, two at most; it only reads",
      })),
      { value: "rules", label: "ralph alone, by rules", hint: "at once, no account, no cost" },
      { value: "nobody", label: "nobody: leave everything as it is" },
    ],
    showInstructions: false,
  });
  if (clack.isCancel(chosen) || chosen === "nobody") return null;
  return chosen === "rules" ? "rules" : { agent: chosen.slice("agent:".length) };
}
