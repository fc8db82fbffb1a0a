import { gateReport } from "../../core/report/gate-report.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { createHost } from "../../effects/host.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { hiddenOutputFolder } from "../../effects/user/hidden-gates.ts";
import { gateLines } from "../../view/gate-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { loadSettings } from "../load-settings.ts";
import { projectState } from "../project-state.ts";
import { compareWithFrozen } from "../run/frozen-gates.ts";
import { gateSettings } from "../run/gate-settings.ts";
import { steeringRefusal } from "../run/send-control.ts";
import { inspectSite } from "../setup/inspect-site.ts";

/** `ralph gates [--json]`: the gates, their last results, and whether they got weaker. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  checkRalphDir(context.projectDir);
  const { state } = await projectState(context.projectDir);
  const settings = gateSettings(loadSettings(context).settings, state);
  const compared = await compareWithFrozen(context, state, settings);
  const isAgent = steeringRefusal(context.env) !== null;
  const report = gateReport(state, settings, {
    changed: compared?.changed.map(({ path }) => path) ?? null,
    found: inspectSite(context, null).findings.commands.test,
    // An agent that asks must not learn where the output of its hidden gates is.
    hiddenOutput:
      settings.HIDDEN_GATES.length === 0 || isAgent
        ? null
        : hiddenOutputFolder(context.projectDir, createHost(context.projectDir, context.env)),
  });
  if (context.args.json) context.stdout(jsonFile(report));
  else context.stdout(`${gateLines(report, { style: style(context.color), width: context.columns }).join("\n")}\n`);
  return 0;
}
