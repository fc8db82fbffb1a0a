import { RalphError } from "../../core/errors.ts";
import { projectAboveHint } from "../../core/text/hints.ts";
import { createHost } from "../../effects/host.ts";
import { openProjectFiles } from "../../effects/project/open-project-files.ts";
import { projectAbove } from "../../effects/project/project-above.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";
import { prdCandidates } from "../../setup/detect/prd-candidates.ts";
import { style } from "../../view/text/style.ts";
import { columns, wrap } from "../../view/text/text.ts";
import { findAgents, ownCommand, readableSettings } from "../agent/find-agents.ts";
import { openAsker } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import { runOther } from "../run-other.ts";
import { shellWord } from "../setup/next-command.ts";
import { canAsk } from "../terminal.ts";

/** Text beside a label gets so many columns at least: narrower than that it is the terminal that folds. */
const LEAST_COLUMNS = 20;

type Context = CommandContext & { args: { json: boolean } };

/**
 * `ralph` alone outside a Ralph project: shows what is here, and the three commands to type next. On a terminal Enter sets it up.
 * @returns the exit code 7, or that of the set-up
 * @throws RalphError `environment` with `--json`: there is no run to print
 */
export async function showCard(context: Context): Promise<number> {
  if (context.args.json) {
    throw new RalphError("environment", "This folder is no Ralph project.", {
      hint: 'Make it one: ralph setup. Or give a task that needs no files: ralph "Fix the tests"',
    });
  }
  const { bold, dim } = style(context.color);
  const commands: (readonly [string, string])[] = [
    ["ralph setup", "make this folder a Ralph project"],
    [`ralph import ${documentHere(context.projectDir)} .`, "the same, from a document that says what to build"],
    ['ralph "Fix the tests"', "one task, no files needed"],
  ];
  const above = projectAbove(context.projectDir, homeFolder(context.env));
  const width = context.rowColumns;
  const row = (label: string, left: number, text: string) =>
    wrap(text, Math.max(LEAST_COLUMNS, width - left)).map((line, at) => {
      const beside = at === 0 ? label : "";
      return `  ${beside}${" ".repeat(left - 2 - columns(beside))}${line}`;
    });
  const widest = Math.max(...commands.map(([command]) => columns(command)));
  const here = `no Ralph project yet, ${gitHere(context.projectDir)}`;
  const lines = [
    ...wrap(`${bold("ralph")} runs a coding agent again and again until the work is really done.`, width),
    "",
    ...row(dim("agents"), 10, await agentsHere(context)),
    ...row(dim("here"), 10, above === null ? here : `${here}\n${projectAboveHint(above)}`),
    "",
    ...commands.flatMap(([command, does]) => row(command, widest + 5, dim(does))),
    "",
    ...row("", 2, dim("See it work first, without an account: ralph demo. All the rest: ralph --help")),
  ];
  context.stdout(`${lines.join("\n")}\n`);
  if (context.args.quiet || !canAsk(context) || !(await wantsSetup(context.env, above === null))) return 7;
  return runOther(context, "setup", { words: [] });
}

async function wantsSetup(env: CommandContext["env"], isUsual: boolean): Promise<boolean> {
  return (await (await openAsker(env)).confirm("Set it up now?", isUsual)) === true;
}

async function agentsHere({ projectDir, env, color }: Context): Promise<string> {
  const agents = await findAgents(
    createHost(projectDir, env),
    ownCommand(env, null, {}, readableSettings(readUserSettings(env)?.text ?? null)),
  );
  const found = agents
    .filter(({ available }) => available)
    .map(({ displayName, version }) => `${style(color).green("✓")} ${displayName} ${version ?? ""}`.trimEnd());
  return found.length === 0 ? "none found on the PATH (ralph doctor says how to get one)" : found.join("  ");
}

function gitHere(dir: string): string {
  const workspace = createWorkspace(dir);
  if (!workspace.isGitRepository) return "no git repository";
  return workspace.head() === null ? "a git repository without a commit" : "a git repository";
}

/** A document in this folder that looks like a project description, or the placeholder for one. */
function documentHere(dir: string): string {
  const [first] = prdCandidates(openProjectFiles(dir));
  return first === undefined || first.length > 30 ? "FILE" : shellWord(first);
}
