import { breakerJson } from "../../core/state-files/breaker-file.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { circuitLines } from "../../view/circuit.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { loadSettings } from "../load-settings.ts";
import { projectState } from "../project-state.ts";

/** `ralph circuit status [--json]`. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const { settings } = loadSettings(context);
  const { state } = await projectState(context.projectDir);
  if (context.args.json) context.stdout(jsonFile(breakerJson(state)));
  else {
    const options = { style: style(context.color), width: context.columns, now: Date.now() };
    context.stdout(`${circuitLines(state, settings, options).join("\n")}\n`);
  }
  return 0;
}
