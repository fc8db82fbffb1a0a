import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { route } from "../../src/cli/args/route.ts";
import { run } from "../../src/cli/commands/config-list.ts";
import { CONFIG_LIST } from "../../src/cli/definitions/config.ts";
import { RalphError } from "../../src/core/errors.ts";
import { commandAt } from "../cli/command-at.ts";
import { fakeContext } from "../cli/fake-context.ts";

export type Outcome = {
  exit: number;
  settings?: Record<string, unknown>;
  warnings?: unknown[];
  error?: { code: string; message: string; hint: string | null };
  /** Names in the project's folder afterwards. */
  files: string[];
};

type Answer = Omit<Outcome, "files">;

/**
 * Runs `ralph config --json` with these flags in this process, in a folder with these files. With `argv` it only parses
 * that command line instead.
 */
export async function runConfig(input: {
  flags: readonly string[];
  argv?: readonly string[];
  env: Readonly<Record<string, string>>;
  files: Readonly<Record<string, string>>;
}): Promise<Outcome> {
  const projectDir = mkdtempSync(join(tmpdir(), "ralph-config-"));
  try {
    for (const [path, text] of Object.entries(input.files)) {
      mkdirSync(dirname(join(projectDir, path)), { recursive: true });
      writeFileSync(join(projectDir, path), text);
    }
    const answer = await configIn(projectDir, input).catch(asAnswer);
    return { ...answer, files: readdirSync(projectDir) };
  } finally {
    rmSync(projectDir, { recursive: true, force: true });
  }
}

async function configIn(projectDir: string, input: Parameters<typeof runConfig>[0]): Promise<Answer> {
  if (input.argv !== undefined) {
    const { path, rest } = route(input.argv);
    parseArgs(commandAt(path), rest);
    return { exit: 0 };
  }
  const { rest } = route(["config", "--json", ...input.flags]);
  const { context, written } = fakeContext(parseArgs(CONFIG_LIST, rest), { projectDir, env: input.env });
  const exit = await run(context);
  return { exit, ...JSON.parse(written.out) };
}

function asAnswer(error: unknown): Answer {
  if (!(error instanceof RalphError)) throw error;
  return { exit: error.exit, error: { code: error.code, message: error.message, hint: error.hint } };
}
