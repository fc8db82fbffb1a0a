import type { State } from "../../core/journal/state.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { displayNameOf } from "../../driver-host/registry.ts";
import { duration } from "../../view/text/figures.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { projectState } from "../project-state.ts";

/** `ralph session status [--json]`. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const { state } = await projectState(context.projectDir);
  if (context.args.json) context.stdout(jsonFile(state.session));
  else context.stdout(`${sentence(state)}\n`);
  return 0;
}

function sentence({ session, driver, display_name }: State): string {
  if (session.session_id !== null) {
    const agent = session.driver === driver ? display_name : displayNameOf(session.driver);
    return `${session.session_id} of ${agent}, begun ${ago(session.created_at)}, last used ${ago(session.last_used)}.`;
  }
  return session.reset_at === null
    ? "No session yet."
    : `No session: reset ${ago(session.reset_at)} (${session.reset_reason ?? "no reason known"}).`;
}

function ago(iso: string): string {
  const ms = Date.now() - Date.parse(iso);
  return Number.isFinite(ms) ? `${duration(Math.max(0, ms))} ago` : "at an unknown time";
}
