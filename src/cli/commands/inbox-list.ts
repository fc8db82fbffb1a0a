import { jsonLine } from "../../core/state-files/file-json.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { needLines } from "../../view/needs.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { projectNeeds } from "../show/project-needs.ts";

/** `ralph inbox [--json]`: what needs a person, each with the commands that answer it. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  checkRalphDir(context.projectDir);
  const needs = await projectNeeds(context.projectDir);
  if (context.args.json) context.stdout(jsonLine({ needs }));
  else if (needs.length === 0) context.stdout("Nothing needs you.\n");
  else context.stdout(`${needLines(needs, { style: style(context.color), width: context.rowColumns }).join("\n")}\n`);
  return 0;
}
