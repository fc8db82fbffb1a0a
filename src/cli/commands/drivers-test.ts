import { randomBytes } from "node:crypto";
import { RalphError } from "../../core/errors.ts";
import { type CheckResult, summarize } from "../../core/report/check-result.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { createScratchFolder } from "../../effects/files/scratch-folder.ts";
import { createHost } from "../../effects/host.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { checkLines } from "../../view/checks.ts";
import { style } from "../../view/text/style.ts";
import { chooseAgent, driverLookup } from "../agent/agent-choice.ts";
import { NOTE_FILE, testDriver } from "../agent/driver-test.ts";
import { requireRunTrust } from "../agent/run-trust.ts";
import { confirm } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import type { DriversTestArgs } from "../definitions/drivers.ts";
import { loadSettings } from "../load-settings.ts";
import { canAsk } from "../terminal.ts";

const LABELS = 8;

/**
 * `ralph drivers test NAME`: a live test of one driver, in a folder of its own.
 * @returns 0 if the driver works
 * @throws RalphError `usage` without --yes if there is nobody to ask
 */
export async function run(context: CommandContext<DriversTestArgs>): Promise<number> {
  const { args, env, isTty } = context;
  const resolved = loadSettings(context);
  const settings = { ...resolved.settings, PLATFORM_DRIVER: args.name };
  const scratch = createScratchFolder("ralph-driver-test-", "work");
  try {
    const host = createHost(scratch.path("work"), env);
    const inProject = createHost(context.projectDir, env);
    const lookup = {
      ...driverLookup(resolved, inProject),
      workIn: host,
      settings,
      personal: true,
      place: "",
      mayStart: true,
    };
    const paths = projectPaths(context.projectDir, null, null);
    await requireRunTrust(context, { ...resolved, settings }, paths, lookup);
    const agent = await chooseAgent(lookup, context.self);
    await agree(
      `This makes one or two short calls of ${agent.driver.displayName}, on your account.`,
      args.yes,
      context,
    );
    const word = `ralph-${randomBytes(4).toString("hex")}`;
    scratch.write(`work/${NOTE_FILE}`, `${word}\n`);
    const options = { style: style(context.color), width: context.columns, labels: LABELS };
    const onResult = (result: CheckResult) => {
      if (!args.json) context.stdout(`${checkLines(result, options).join("\n")}\n`);
    };
    const results = await testDriver({ agent, settings, host, word, onResult });
    const summary = summarize(results);
    if (args.json) context.stdout(jsonFile({ driver: agent.driver.name, results, summary }));
    return summary.failed === 0 ? 0 : 1;
  } finally {
    scratch.remove();
  }

  async function agree(what: string, agreed: boolean, { log }: Pick<CommandContext, "log">): Promise<void> {
    if (agreed) return log.log(what);
    if (!canAsk({ isTty, env })) throw new RalphError("usage", `${what} Pass --yes to agree.`);
    if (!(await confirm(`${what} Go on?`))) throw new RalphError("usage", "Nothing was done.");
  }
}
