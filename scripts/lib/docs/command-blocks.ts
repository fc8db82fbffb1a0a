/** The commands on the pages: code blocks in `sh`, each run by a test or marked with the reason why not. */

/** Where and how a block is run, or why it is not. */
export type BlockUse =
  | {
      /** The kind of folder it runs in; null: where the block before it ended. */
      world: string | null;
      /** On a terminal, where this key is pressed at each new screen until the command ends. */
      key: string | null;
      /** Exit code of the block. */
      exit: number;
    }
  | { notRun: string }
  /** The test file that runs it, beside `tests/e2e/pages/`. */
  | { runBy: string };

/** A block of commands. */
export type CommandBlock = { file: string; line: number; text: string; use: BlockUse };

const MARK = /^<!-- commands: (.*) -->$/;
const USE = /^(?:in ([\w-]+))?(?:(?:, |^)pressing (\S+))?(?:(?:, |^)exit (\d+))?$/;

/**
 * The blocks of commands of a page. A comment before a block says how it is run: `<!-- commands: in project, pressing q, exit 4 -->`,
 * each part optional, or `not run: REASON`, or `run by TEST`.
 * @param file only for the blocks' names
 * @throws for a comment that says none of these, or has no block
 */
export function commandBlocks(file: string, page: string): CommandBlock[] {
  const lines = page.split("\n");
  const blocks: CommandBlock[] = [];
  let mark: { words: string; line: number } | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const found = MARK.exec(line.trim())?.[1];
    if (found !== undefined) {
      mark = { words: found, line: at + 1 };
      continue;
    }
    const [, indent, tag] = /^( *)```(\w*)/.exec(line) ?? [];
    if (tag === undefined) {
      if (mark !== null && line.trim() !== "")
        throw new Error(`${file}:${mark.line} stands before no block of commands`);
      continue;
    }
    const end = lines.findIndex((other, index) => index > at && other.trim() === "```");
    const text = lines.slice(at + 1, end).map((other) => other.slice(indent?.length ?? 0));
    if (tag === "sh")
      blocks.push({ file, line: at + 1, text: text.join("\n"), use: useOf(mark?.words ?? null, `${file}:${at + 1}`) });
    else if (mark !== null) throw new Error(`${file}:${mark.line} stands before a block that is not in sh`);
    mark = null;
    at = end === -1 ? lines.length : end;
  }
  return blocks;
}

/**
 * What a mark says.
 * @param words without the comment round them; null for none
 * @param place for the error
 * @throws for words that say nothing of the kind
 */
export function useOf(words: string | null, place: string): BlockUse {
  if (words === null) return { world: null, key: null, exit: 0 };
  const reason = /^not run: (.+)$/.exec(words)?.[1];
  if (reason !== undefined) return { notRun: reason };
  const test = /^run by (tests\/\S+)$/.exec(words)?.[1];
  if (test !== undefined) return { runBy: test };
  const [all, world, key, exit] = USE.exec(words) ?? [];
  if (all === undefined || all === "") throw new Error(`${place}: "${words}" says neither how nor why not`);
  return { world: world ?? null, key: key ?? null, exit: Number(exit ?? 0) };
}
