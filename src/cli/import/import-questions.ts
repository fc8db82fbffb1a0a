import { plain } from "../../view/text/text.ts";
import { type Asker, isGone } from "../ask/asker.ts";

/** Who turns a document into plan and specs. */
export type Importer = { agent: string } | "rules";

/**
 * Asks where to put a project if no folder was named.
 * @param name of the new folder
 * @param here offers this folder first: it holds nothing but the source
 * @returns the name, null for this folder, undefined if the user cancels
 */
export async function askPlace(asker: Asker, name: string, here: boolean): Promise<string | null | undefined> {
  const options = [
    { value: "new", label: `a new folder, ./${name}` },
    { value: "here", label: "this folder" },
  ] as const;
  const chosen = await asker.select("Where should the project go?", here ? options.toReversed() : options);
  return isGone(chosen) ? undefined : chosen === "new" ? name : null;
}

/** Asks who reads the document, since a call is not free. Null for nobody, or if the user cancels. */
export async function askImporter(
  asker: Asker,
  document: string,
  agents: readonly { driver: string; displayName: string }[],
): Promise<Importer | null> {
  const chosen = await asker.select<Importer | "nobody">(`Who reads ${plain(document)} and plans the work?`, [
    ...agents.map(({ driver, displayName }) => ({
      value: { agent: driver },
      label: `${displayName} (one call, two at most; it only reads)`,
    })),
    { value: "rules", label: "ralph alone, by rules (at once, no account, no cost)" },
    { value: "nobody", label: "nobody: leave everything as it is" },
  ]);
  return isGone(chosen) || chosen === "nobody" ? null : chosen;
}
