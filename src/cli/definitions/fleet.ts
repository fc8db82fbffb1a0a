import { SCHEDULERS } from "../../core/fleet/manifest.ts";
import { type Args, type CommandGroup, defineCommand } from "../args/define.ts";

const MANIFEST_ARGS = {
  scheduler: {
    type: "positional",
    valueHint: "SCHEDULER",
    required: true,
    description: "kubernetes, slurm or github-actions",
    completes: SCHEDULERS,
  },
  workers: { type: "string", valueHint: "N", description: "how many workers (default: 8)", group: "task" },
  repository: {
    type: "string",
    valueHint: "URL",
    description: "what all of them reach (default: the remote origin)",
    group: "task",
  },
  branch: {
    type: "string",
    valueHint: "BRANCH",
    description: "the branch with the plan (default: main)",
    group: "task",
  },
  image: {
    type: "string",
    valueHint: "IMAGE",
    description: "container image with git, ralph and the agent",
    group: "task",
  },
  secret: {
    type: "string",
    valueHint: "NAME",
    repeat: true,
    description: "a variable that is given by reference (default: ANTHROPIC_API_KEY)",
    group: "task",
  },
  with: { type: "string", valueHint: "WORDS", description: "more words for ralph run", group: "task" },
} as const satisfies Args;
export type FleetManifestArgs = typeof MANIFEST_ARGS;

const MANIFEST = defineCommand({
  meta: { name: "fleet manifest", description: "print the job that starts workers under a scheduler" },
  args: MANIFEST_ARGS,
  examples: [
    ["ralph fleet manifest slurm --workers 8 > job.sh", "an array job: sbatch job.sh"],
    ["ralph fleet manifest kubernetes --image registry.example/ralph", "an Indexed Job: kubectl apply -f"],
    ["ralph fleet manifest github-actions --image registry.example/ralph", "a workflow with a matrix"],
  ],
  load: () => import("../commands/fleet-manifest.ts"),
});

export const FLEET: CommandGroup = {
  meta: { name: "fleet", description: "jobs for several machines" },
  subCommands: { manifest: MANIFEST },
  default: "manifest",
  takesWord: true,
  examples: [["ralph fleet manifest slurm", "workers on a cluster"]],
};
