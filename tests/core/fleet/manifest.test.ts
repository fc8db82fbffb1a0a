/** The printed jobs, checked by what the schedulers' makers publish. */
import { expect, test } from "bun:test";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { Job } from "kubernetes-models/batch/v1";
import { type FleetJob, fleetManifest } from "../../../src/core/fleet/manifest.ts";
import { STOP_REASONS } from "../../../src/core/stop/stop-reasons.ts";

const job: FleetJob = {
  name: "ralph-shop",
  workers: 8,
  repository: "https://git.example.org/it's/shop.git",
  branch: "main",
  image: "registry.example/ralph:1",
  secrets: ["ANTHROPIC_API_KEY", "OTHER_KEY"],
  words: ["--max-cost", "20", "--preamble", 'say: "hi" # $HOME'],
};

test("the Kubernetes job holds by the published schema of batch/v1, and retries what a retry can mend", () => {
  const text = fleetManifest("kubernetes", job);
  const parsed = Bun.YAML.parse(text) as ConstructorParameters<typeof Job>[0] & object;
  const made = new Job(parsed);
  expect(() => made.validate()).not.toThrow();
  expect(() => new Job({ ...parsed, spec: { ...made.spec, completions: "8" } } as never).validate()).toThrow();
  expect(made.spec).toMatchObject({
    ...{ completions: 8, parallelism: 8, completionMode: "Indexed", backoffLimitPerIndex: 3 },
    podFailurePolicy: {
      rules: [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        { action: "FailIndex", onExitCodes: { containerName: "ralph", operator: "In", values: [2, 3, 4, 6] } },
      ],
    },
  });
  const [container] = made.spec?.template.spec?.containers ?? [];
  expect(container?.env).toContainEqual({
    name: "OTHER_KEY",
    valueFrom: { secretKeyRef: { name: "ralph-shop", key: "OTHER_KEY" } },
  });
  expect(container?.args?.[0]).toContain(`'https://git.example.org/it'\\''s/shop.git' /work`);
  expect(container?.args?.[0]).toEndWith(`exec ralph run --shard --trust --max-cost 20 --preamble 'say: "hi" # $HOME'`);
});

test("the workflow of GitHub Actions parses without an error", async () => {
  const content = fleetManifest("github-actions", job);
  const { value, context } = parseWorkflow({ name: "ralph.yml", content }, new NoOperationTraceWriter());
  expect(context.errors.getErrors()).toEqual([]);
  expect(value).toBeDefined();
  const broken = parseWorkflow(
    { name: "ralph.yml", content: content.replace("runs-on", "runs-of") },
    new NoOperationTraceWriter(),
  );
  expect(broken.context.errors.getErrors()).not.toEqual([]);
  const parsed = Bun.YAML.parse(content) as { jobs: { worker: { strategy: unknown; steps: { env?: unknown }[] } } };
  expect(parsed.jobs.worker.strategy).toEqual({
    ...{ "fail-fast": false, "max-parallel": 8 },
    matrix: { worker: [0, 1, 2, 3, 4, 5, 6, 7] },
  });
  expect(parsed.jobs.worker.steps[1]?.env).toMatchObject({
    RALPH_JOB_INDEX: `\${{ strategy.job-index }}`,
    OTHER_KEY: `\${{ secrets.OTHER_KEY }}`,
  });
});

test("no job holds a value of a secret", () => {
  for (const scheduler of ["kubernetes", "slurm", "github-actions"] as const)
    expect(fleetManifest(scheduler, job)).not.toMatch(/API_KEY: *["']?sk-|API_KEY=[^"$]/);
});

test("each way a run can end is either final for its worker or tried again", () => {
  const exits = new Set(Object.values(STOP_REASONS).map(({ exit }) => exit));
  expect([...exits].sort((a, b) => a - b)).toEqual([0, 1, 3, 4, 5, 6, 7, 129, 130, 143]);
});
