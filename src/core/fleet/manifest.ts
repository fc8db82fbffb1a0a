/** Jobs that start a fleet's workers under an existing scheduler. Each worker is `ralph run --shard`; the repository is queue, lock and result. */
import { typedWord } from "../text/shell-words.ts";

export type FleetJob = {
  /** Of the project: letters, digits and dashes. */
  name: string;
  workers: number;
  /** URL of the repository that all workers reach. */
  repository: string;
  branch: string;
  /** Container image with git, ralph and the agent. */
  image: string;
  /** Names of variables with secrets: given by reference, never by value. */
  secrets: readonly string[];
  /** More words for `ralph run`. */
  words: readonly string[];
};

export const SCHEDULERS = ["kubernetes", "slurm", "github-actions"] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/**
 * What a scheduler does with an exit code of ralph (product.md "Exit codes"): 0 is done; after these a worker is not started again, as a
 * person has to look (2, 3, 6) or the user's bound is reached (4). Everything else is tried again: limits, the machine, a kill.
 */
export const FINAL_EXITS: readonly number[] = [2, 3, 4, 6];
const MOST_STARTS = 4;

/** The job's text, for the scheduler's own tool. */
export function fleetManifest(scheduler: Scheduler, job: FleetJob): string {
  if (scheduler === "kubernetes") return kubernetes(job);
  return scheduler === "slurm" ? slurm(job) : githubActions(job);
}

function runCommand({ words }: FleetJob): string {
  return ["ralph", "run", "--shard", "--trust", ...words].map(typedWord).join(" ");
}

/** JSON is YAML, and needs no rules of quoting that people know by heart. */
const quoted = (text: string) => JSON.stringify(text);

function kubernetes(job: FleetJob): string {
  const { name, workers, repository, branch, image, secrets } = job;
  const script = `git clone --quiet --branch ${typedWord(branch)} ${typedWord(repository)} /work && cd /work && exec ${runCommand(job)}`;
  const env = secrets.map(
    (secret) => `            - name: ${secret}
              valueFrom:
                secretKeyRef:
                  name: ${name}
                  key: ${secret}
`,
  );
  return `# Secrets, once: kubectl create secret generic ${name} ${secrets.map((secret) => `--from-literal=${secret}="$${secret}"`).join(" ")}
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
  completions: ${workers}
  parallelism: ${workers}
  completionMode: Indexed
  backoffLimitPerIndex: ${MOST_STARTS - 1}
  maxFailedIndexes: ${workers}
  podFailurePolicy:
    rules:
      # A node that goes away is no fault of the worker's.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      # A person has to look, or a bound is reached: ralph report says why.
      - action: FailIndex
        onExitCodes:
          containerName: ralph
          operator: In
          values: [${FINAL_EXITS.join(", ")}]
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: ralph
          image: ${quoted(image)}
          command: ["sh", "-c"]
          args:
            - ${quoted(script)}
          env:
            - name: JOB_COMPLETIONS
              value: "${workers}"
            # The container is all that the agent can damage.
            - name: IS_SANDBOX
              value: "1"
${env.join("")}`;
}

function slurm(job: FleetJob): string {
  const { name, workers, repository, branch, secrets } = job;
  return `#!/bin/sh
#SBATCH --job-name=${name}
# %${workers} is how many run at once: lower it to go easy on the agent's limits.
#SBATCH --array=1-${workers}%${workers}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=${name}-%a.log
# Secrets come from the environment of sbatch, by name.
#SBATCH --export=${["HOME", "PATH", ...secrets].join(",")}
set -u
# A worker keeps its clone: after a kill or a requeue it goes on with its own task.
work="$HOME/.cache/${name}/$SLURM_ARRAY_TASK_ID"
[ -d "$work/.git" ] || git clone --quiet --branch ${typedWord(branch)} ${typedWord(repository)} "$work" || exit 1
cd "$work" || exit 1
start=0
while [ "$start" -lt ${MOST_STARTS} ]; do
  ${runCommand(job)}
  code=$?
  case $code in 0 | ${FINAL_EXITS.join(" | ")}) exit $code ;; esac
  start=$((start + 1))
done
exit $code
`;
}

function githubActions(job: FleetJob): string {
  const { name, workers, branch, image, secrets } = job;
  const indices = Array.from({ length: workers }, (_, index) => index).join(", ");
  const env = secrets.map((secret) => `          ${secret}: \${{ secrets.${secret} }}\n`);
  return `# .github/workflows/${name}.yml
name: ${name}
on: workflow_dispatch
permissions:
  contents: write
jobs:
  worker:
    runs-on: ubuntu-latest
    container: ${quoted(image)}
    # A job may take six hours: what it had is given back before.
    timeout-minutes: 355
    strategy:
      fail-fast: false
      max-parallel: ${workers}
      matrix:
        worker: [${indices}]
    steps:
      - uses: actions/checkout@v4
        with:
          ref: ${quoted(branch)}
          fetch-depth: 0
      - run: ${quoted(`git config --global --add safe.directory "$PWD" && ${runCommand(job)} --max-time=340`)}
        env:
          RALPH_JOB_INDEX: \${{ strategy.job-index }}
          RALPH_JOB_TOTAL: \${{ strategy.job-total }}
          IS_SANDBOX: "1"
${env.join("")}`;
}
