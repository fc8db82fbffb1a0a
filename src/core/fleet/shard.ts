/** Which of several identical workers this one is, as the scheduler that started it says. */
import { RalphError } from "../errors.ts";

/** `index` from 0. */
export type Shard = { index: number; count: number };

type Scheduler = {
  name: string;
  index: string;
  /** Variables that hold the number of workers; the first that is set counts. None set: it is unknown. */
  count: readonly string[];
  /** The number of the first worker, or the variable that holds it. */
  first: 0 | 1 | string;
};

/** Sources: the schedulers' own documentation of what they set in each job. */
const SCHEDULERS: readonly Scheduler[] = [
  { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: ["JOB_COMPLETIONS"], first: 0 },
  { name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: ["SLURM_ARRAY_TASK_COUNT"], first: "SLURM_ARRAY_TASK_MIN" },
  { name: "GitHub Actions", index: "RALPH_JOB_INDEX", count: ["RALPH_JOB_TOTAL"], first: 0 },
  { name: "GitLab", index: "CI_NODE_INDEX", count: ["CI_NODE_TOTAL"], first: 1 },
  { name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", count: ["BUILDKITE_PARALLEL_JOB_COUNT"], first: 0 },
  { name: "CircleCI", index: "CIRCLE_NODE_INDEX", count: ["CIRCLE_NODE_TOTAL"], first: 0 },
  { name: "Nomad", index: "NOMAD_ALLOC_INDEX", count: [], first: 0 },
];

/**
 * The shard of `--shard`.
 * @param asked `2/8` (from 1), or "" to take what the scheduler says
 * @throws RalphError `usage` if it is neither
 */
export function shardOf(asked: string, env: Readonly<Record<string, string | undefined>>): Shard {
  if (asked !== "") return parseShard(asked);
  for (const { name, index, count: counts, first } of SCHEDULERS) {
    const at = wholeNumber(env[index]);
    if (at === null) continue;
    const begin = typeof first === "number" ? first : (wholeNumber(env[first]) ?? 0);
    const all = counts.map((variable) => wholeNumber(env[variable])).find((found) => found !== null) ?? null;
    if (at < begin || (all !== null && all < 1))
      throw new RalphError("usage", `${name} says nonsense: ${index} is ${env[index]}.`, {
        hint: "Say it: --shard 1/4",
      });
    // Array indices may have gaps (1,5,9), and a number without a count still says where to begin.
    return all === null ? { index: at - begin, count: at - begin + 1 } : { index: (at - begin) % all, count: all };
  }
  const variables = SCHEDULERS.map(({ index }) => index).join(", ");
  throw new RalphError("usage", `No scheduler says which worker this is (${variables}).`, {
    hint: "Say it: --shard=1/4 for the first of four",
  });
}

function parseShard(asked: string): Shard {
  const [, nth = "", all = ""] = /^(\d{1,6})\/(\d{1,6})$/.exec(asked.trim()) ?? [];
  const shard = { index: Number(nth) - 1, count: Number(all) };
  if (nth === "" || shard.count < 1 || shard.index < 0 || shard.index >= shard.count)
    throw new RalphError("usage", `--shard ${asked} is no worker of several.`, {
      hint: "As in --shard=2/8, from 1/8 to 8/8",
    });
  return shard;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/** A list in the order in which this worker looks at it: from its own part on, and round. */
export function fromShard<T>(list: readonly T[], { index, count: all }: Shard): T[] {
  const begin = Math.floor((index * list.length) / all);
  return [...list.slice(begin), ...list.slice(0, begin)];
}

/** `worker 2 of 8` for a person. */
export function describeShard({ index, count: all }: Shard): string {
  return `worker ${index + 1} of ${all}`;
}
