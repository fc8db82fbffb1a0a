import { jsonFile } from "../../core/state-files/file-json.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { agentModels } from "../agent/agent-models.ts";
import { driversHost } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { OneDriverArgs } from "../definitions/drivers.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * `ralph drivers models NAME [--json]`: what the agent's CLI takes as a model, asked of the CLI itself without a call.
 * @throws RalphError as `agentModels`
 */
export async function run(context: CommandContext<OneDriverArgs>): Promise<number> {
  const host = driversHost(context);
  const lookup = { ...driverLookup(loadSettings(context), host), personal: true, place: "" };
  const found = await agentModels(context.args.name, lookup, context.self);
  if (context.args.json) {
    context.stdout(jsonFile(found));
    return 0;
  }
  const width = Math.max(0, ...found.models.map(({ id }) => id.length));
  for (const { id, label, is_default } of found.models) {
    const about = [label ?? "", is_default ? "(default)" : ""].filter((part) => part !== "").join(" ");
    context.stdout(`${id.padEnd(width)}  ${about}`.trimEnd().concat("\n"));
  }
  return 0;
}
