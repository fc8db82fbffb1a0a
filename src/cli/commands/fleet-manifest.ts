import { basename } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { fleetManifest, SCHEDULERS, type Scheduler } from "../../core/fleet/manifest.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";
import { createGit } from "../../effects/git/git-program.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { FleetManifestArgs } from "../definitions/fleet.ts";

const USUAL_WORKERS = "8";
/** Kubernetes allows more; no provider's limits do. */
const MOST_WORKERS = 256;
const USUAL_SECRET = "ANTHROPIC_API_KEY";
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * `ralph fleet manifest SCHEDULER`: prints a job, and starts nothing.
 * @throws RalphError `usage` for what no job can be made of, `environment` where no repository is known
 */
export async function run({ args, projectDir, env, stdout }: CommandContext<FleetManifestArgs>): Promise<number> {
  const scheduler = SCHEDULERS.find((one) => one === args.scheduler);
  if (scheduler === undefined)
    throw new RalphError("usage", `No scheduler is called ${JSON.stringify(args.scheduler)}.`, {
      hint: `One of: ${SCHEDULERS.join(", ")}`,
    });
  const workers = wholeNumber("--workers", args.workers ?? USUAL_WORKERS);
  if (workers < 1 || workers > MOST_WORKERS)
    throw new RalphError("usage", `--workers ${workers}: from 1 to ${MOST_WORKERS}.`);
  const secrets = args.secret.length === 0 ? [USUAL_SECRET] : args.secret;
  const odd = secrets.find((secret) => !VARIABLE.test(secret));
  if (odd !== undefined)
    throw new RalphError("usage", `--secret ${JSON.stringify(odd)} is no name of a variable.`, {
      hint: "Name the variable; its value stays where the scheduler keeps secrets.",
    });
  const words = splitShellWords(args.with ?? "");
  if (words === null) throw new RalphError("usage", "--with has a quote without an end.");
  const repository = args.repository ?? (await originOf(projectDir, env));
  const branch = args.branch ?? "main";
  const job = {
    name: jobName(projectDir),
    workers,
    repository,
    branch,
    image: imageFor(scheduler, args.image),
    secrets,
    words,
  };
  stdout(fleetManifest(scheduler, job));
  return 0;
}

function imageFor(scheduler: Scheduler, image: string | undefined): string {
  if (image !== undefined || scheduler === "slurm") return image ?? "";
  throw new RalphError(
    "usage",
    `${scheduler} runs workers in containers: name an image with git, ralph and the agent.`,
    {
      hint: "--image registry.example/ralph",
    },
  );
}

async function originOf(projectDir: string, env: CommandContext["env"]): Promise<string> {
  const { code, stdout } = await createGit(projectDir, env).run(["remote", "get-url", "origin"]);
  if (code === 0) return stdout.trim();
  throw new RalphError("environment", "This project has no remote called origin.", {
    hint: "Name the repository that all workers reach: --repository URL",
  });
}

/** A name that all schedulers take (RFC 1123 label). */
function jobName(projectDir: string): string {
  const words = basename(projectDir)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `ralph-${words === "" ? "project" : words.slice(0, 40).replace(/-+$/, "")}`;
}
