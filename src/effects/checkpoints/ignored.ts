/**
 * What was ignored when a checkpoint was made. Such a file may have been there already, in no checkpoint, whatever an agent has made of the
 * rules or of the index since: nobody may take it for new.
 */
import { decodeExactly } from "../git/names.ts";
import type { ObjectReader } from "../git/read-object.ts";
import type { TreeReader } from "../git/trees.ts";
import { RALPH_DIR } from "../project/project-paths.ts";
import { LINK } from "../snapshot/folder-state.ts";
import { hides, patternsOf, type Rules, rulesOf } from "../snapshot/rules.ts";

/** Where the rules that no file of a checkpoint has stand in a checkpoint's tree; such a file is on no disk. */
export const OUTER_RULES = ".ralph/.ignored";

export type OuterRules = {
  /** The project's path from where they are anchored, "" or ending in "/". */
  prefix: string;
  patterns: readonly string[];
  /** Folders whose `.gitignore` ignores itself, "" or ending in "/", each with its text. */
  hidden: readonly (readonly [folder: string, text: string])[];
  /** Repositories inside, each with the rules that are anchored to its root: those around it say nothing there. */
  inside: readonly { folder: string; patterns: readonly string[] }[];
};

/** A line each, as JSON; null if there are none. What the patterns say of ralph's own files is left out: no checkpoint goes by it. */
export function formatOuterRules({ prefix, patterns, hidden, inside }: OuterRules): Buffer | null {
  const others = patterns.filter((pattern) => !pattern.includes(".ralph/"));
  if (others.length + hidden.length + inside.length === 0) return null;
  return Buffer.from([prefix, ...others, ...hidden, ...inside].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/**
 * @returns whether a path would have been ignored when a checkpoint was made
 * @throws Error if it cannot be read
 */
export async function ignoredBy(
  reader: Pick<TreeReader, "file">,
  read: ObjectReader,
  { commit, ignoreCase }: { commit: string; ignoreCase: boolean },
): Promise<(path: string) => Promise<boolean>> {
  const textAt = async (path: string) => {
    const file = await reader.file(commit, path);
    return file === null || file.mode === LINK.toString(8) ? null : decodeExactly((await read(file.oid)).body);
  };
  const lines = ((await textAt(OUTER_RULES)) ?? "").split("\n").filter((line) => line !== "");
  const values: unknown[] = lines.map((line) => JSON.parse(line));
  const [prefix = "", ...patterns] = values.filter((value) => typeof value === "string");
  const hidden = new Map(
    values.flatMap((value) => (Array.isArray(value) ? [[String(value[0]), String(value[1])]] : [])),
  );
  const inside = new Map(values.flatMap((value) => (isInside(value) ? [[value.folder, value.patterns]] : [])));
  const known = new Map<string, Promise<Rules>>();
  const rulesIn = (folder: string): Promise<Rules> => {
    const found = known.get(folder) ?? readRules(folder);
    known.set(folder, found);
    return found;
  };
  const readRules = async (folder: string): Promise<Rules> => {
    const own = folder === "" ? patterns : inside.get(folder)?.flatMap((one) => patternsOf(one, prefix + folder));
    const outer = own === undefined ? await rulesIn(above(folder)) : rulesOf(null, own, ignoreCase);
    const text = hidden.get(folder) ?? (await textAt(`${folder}.gitignore`));
    return text === null ? outer : rulesOf(outer, patternsOf(text, prefix + folder), ignoreCase);
  };
  // A checkpoint has ralph's own files whatever ignores them.
  return async (path) => !path.startsWith(`${RALPH_DIR}/`) && hides(await rulesIn(above(path)), prefix + path);
}

function isInside(value: unknown): value is OuterRules["inside"][number] {
  return typeof value === "object" && value !== null && "folder" in value && "patterns" in value;
}

/** The folder that a path or a folder lies in, "" or ending in "/". */
function above(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
