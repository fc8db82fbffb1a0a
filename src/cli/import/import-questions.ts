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
 * Asks where to put a project if no folder was named.
 * @param name of the new folder
 * @param here offers this folder first: it holds nothing but the source
 * @returns the name, null for this folder, undefined if the user cancels
 */
export async function askPlace(name: string, here: boolean): Promise<string | null | undefined> {
  const options = [
    { value: "new", label: `a new folder, ./${name}` },
    { value: "here", label: "this folder" },
  ];
  const chosen = await clack.select({
    message: "Where should the project go?",
    options: here ? options.toReversed() : options,
    showInstructions: false,
  });
  return clack.isCancel(chosen) ? undefined : chosen === "new" ? name : null;
}

/** Asks who reads the document, since a call is not free. Null for nobody, or if the user cancels. */
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
