import type { Analysis } from "../answer/analysis-types.ts";
import type { Evidence, IterationOutcome } from "../journal/event.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const NAME_CHARS = 120;

type Named = {
  outcome: IterationOutcome;
  analysis: Pick<Analysis, "work_summary">;
  evidence: Pick<Evidence, "plan_ticked" | "subject">;
};

/**
 * What an iteration is called, on one line: the task that it ticked, else the subject of its first commit, else the first
 * line of its answer. Null for one that did none of these, as one that failed.
 */
export function iterationName({ outcome, analysis, evidence }: Named): string | null {
  const [first, ...more] = evidence.plan_ticked ?? [];
  const ticked = first === undefined ? "" : `${oneLine(first)}${more.length === 0 ? "" : ` and ${more.length} more`}`;
  const said = outcome === "failed" ? "" : analysis.work_summary;
  return [ticked, oneLine(evidence.subject ?? ""), oneLine(said)].find((name) => name !== "") ?? null;
}

/** Its name and its verdict's sentence, in one. */
export function namedSentence(name: string | null, sentence: string): string {
  return name === null ? sentence : `${name} · ${sentence}`;
}

function oneLine(text: string): string {
  return truncate(singleLine(text), NAME_CHARS);
}
