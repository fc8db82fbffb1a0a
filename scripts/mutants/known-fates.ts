import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Fate } from "./run-mutant.ts";

/** One line of the file: `content` stands for the source and all that its tests read of the tree. */
type Line = { mutant: string; content: string; fate: Fate };

/** What earlier runs found out. */
export type KnownFates = {
  of(mutant: string, content: string): Fate | undefined;
  /** Lines are only ever added, each at once: a run that is killed loses none. */
  add(mutant: string, content: string, fate: Fate): void;
};

const FATES: readonly unknown[] = ["killed", "killed by limit", "survived"] satisfies Fate[];

/** Knows nothing of earlier runs, and tells later ones nothing. */
export function noFates(): KnownFates {
  const known = new Map<string, Fate>();
  return {
    of: (mutant, content) => known.get(`${mutant} ${content}`),
    add: (mutant, content, fate) => void known.set(`${mutant} ${content}`, fate),
  };
}

/** Opens the file of fates. @param fresh forget what it holds */
export function openFates(file: string, { fresh }: { fresh: boolean }): KnownFates {
  if (fresh) rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  // A line that a kill cut short is closed, so that the next one stands alone.
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const known = new Map(text.split("\n").flatMap(readLine));
  return {
    of: (mutant, content) => known.get(`${mutant} ${content}`),
    add: (mutant, content, fate) => {
      known.set(`${mutant} ${content}`, fate);
      appendFileSync(file, `${JSON.stringify({ mutant, content, fate } satisfies Line)}\n`);
    },
  };
}

function readLine(line: string): [string, Fate][] {
  try {
    const { mutant, content, fate }: Line = JSON.parse(line);
    return FATES.includes(fate) ? [[`${mutant} ${content}`, fate]] : [];
  } catch {
    return [];
  }
}
