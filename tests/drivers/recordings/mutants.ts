import { analyse } from "../../../src/core/answer/analysis.ts";
import { readRecorded } from "../../driver-host/recorded/read-recorded.ts";
import { corpus, type Recorded } from "./corpus.ts";
import { type Changed, MUTATIONS, pick, randomOf } from "./mutations.ts";

/** Verdicts that no mutation may produce. */
type Verdict = { done: boolean; limited: boolean; denied: boolean; exit_signal: boolean; error: string | null };

/** A mutant with a false verdict: its source, and how to make it again. */
export type FalseVerdict = {
  recording: string;
  mutation: string;
  nth: number;
  said: Verdict;
  truth: Verdict;
  text: string;
};

export type Hunt = { mutants: number; byMutation: Record<string, number>; found: FalseVerdict[] };

const NOW = Date.parse("2026-11-21T20:00:00Z");

/**
 * Makes `count` mutants, equally many of each kind, and compares their verdicts with the recording's own: none may gain a
 * verdict, and a harmless mutation may not lose one.
 * @param seed equal seeds make equal mutants
 */
export function hunt(count: number, seed: number): Hunt {
  const recordings = corpus().map((recording) => ({ recording, truth: verdictOf(recording, recording) }));
  const kinds = MUTATIONS.map((mutation) => ({
    mutation,
    subjects: recordings.filter(({ recording }) => mutation.apply(recording, randomOf(seed)) !== null),
  }));
  const byMutation: Record<string, number> = {};
  const found: FalseVerdict[] = [];
  let mutants = 0;
  for (; mutants < count; mutants += 1) {
    const random = randomOf(seed + mutants);
    const { mutation, subjects } = pick(random, kinds);
    const { recording, truth } = pick(random, subjects);
    const changed = mutation.apply(recording, random);
    if (changed === null) continue;
    byMutation[mutation.name] = (byMutation[mutation.name] ?? 0) + 1;
    const said = verdictOf(recording, changed);
    if (isFalse(said, truth) || (mutation.harmless && !isSame(said, truth)))
      found.push({
        recording: `${recording.cli}/${recording.name}`,
        mutation: mutation.name,
        nth: mutants,
        said,
        truth,
        text: changed.text,
      });
  }
  return { mutants, byMutation, found };
}

function verdictOf({ exitCode, stderr }: Recorded, changed: Changed): Verdict {
  const options = { exitCode: changed.exitCode ?? exitCode, stderr };
  const { output } = readRecorded(changed.text, options);
  const { has_completion_signal, exit_signal, usage_limit, has_permission_denials } = analyse(output, null, {
    allowedTools: [],
    now: NOW,
  });
  return {
    done: has_completion_signal,
    exit_signal,
    limited: usage_limit !== null,
    denied: has_permission_denials,
    error: output.error?.class ?? null,
  };
}

function isFalse(said: Verdict, truth: Verdict): boolean {
  const invented = (what: "done" | "exit_signal" | "limited" | "denied") => said[what] && !truth[what];
  return invented("done") || invented("exit_signal") || invented("limited") || invented("denied");
}

function isSame(said: Verdict, truth: Verdict): boolean {
  return JSON.stringify(said) === JSON.stringify(truth);
}
