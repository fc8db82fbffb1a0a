import { promptFileIn } from "../../core/settings/resolve-settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { createHost } from "../../effects/host.ts";
import { checkRalphDir, projectPaths } from "../../effects/project/project-paths.ts";
import { writeAgreed } from "../../effects/user/agreed.ts";
import { style } from "../../view/text/style.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { trustOfProjectDrivers } from "../agent/find-driver.ts";
import { agreeTo, itemLines, judgeItems } from "../agent/project-trust.ts";
import { runItems } from "../agent/run-trust.ts";
import { confirm } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import type { TrustArgs } from "../definitions/trust.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseAgents } from "../run/send-control.ts";
import { canAsk } from "../terminal.ts";

/**
 * `ralph trust`: what this project makes ralph run or reach, and whether this user agreed to it (product.md "Trust"). On a
 * terminal it asks for what is open; `--yes` agrees without a question.
 * @returns 7 if something is not agreed to
 * @throws RalphError `environment` if an agent wants to agree or to forget
 */
export async function run(context: CommandContext<TrustArgs>): Promise<number> {
  const { args, projectDir, env, color } = context;
  const ralph = checkRalphDir(projectDir);
  const host = createHost(projectDir, env);
  if (args.forget) {
    refuseAgents(context, ralph);
    writeAgreed(projectDir, {}, host);
  }
  const resolved = loadSettings(context);
  const lookup = driverLookup(resolved, host);
  const found = [
    ...runItems(resolved, projectPaths(projectDir, promptFileIn(resolved), null), lookup, true),
    ...trustOfProjectDrivers(host),
  ];
  const items = [...new Map(found.map((item) => [item.key, item])).values()];
  const judged = judgeItems(items, host);
  const open = judged.filter(({ state }) => state !== "agreed");
  const agrees = args.yes && open.length > 0;
  if (agrees) {
    refuseAgents(context, ralph);
    agreeTo(open, host);
  }
  if (args.json) {
    const rows = judged.map(({ key, value, where, state }) => ({
      key,
      value,
      where,
      state: agrees ? "agreed" : state,
    }));
    context.stdout(jsonFile({ items: rows, agreed: agrees || open.length === 0 }));
    return agrees || open.length === 0 ? 0 : 7;
  }
  const { bold } = style(color);
  const part = (title: string, some: typeof judged) => (some.length === 0 ? [] : [bold(title), ...itemLines(some), ""]);
  const lines = [
    ...part(
      "Agreed to:",
      judged.filter(({ state }) => state === "agreed"),
    ),
    ...part(agrees ? "Agreed to now:" : "Not agreed to yet:", open),
  ];
  if (!args.quiet)
    context.stdout(
      judged.length === 0 ? "This project makes ralph run nothing of its own.\n" : `${lines.join("\n").trimEnd()}\n`,
    );
  if (agrees || open.length === 0) return 0;
  if (args.forget || !canAsk(context)) return 7;
  refuseAgents(context, ralph);
  if (!(await confirm("May this project do so?", true))) return 7;
  agreeTo(open, host);
  return 0;
}
