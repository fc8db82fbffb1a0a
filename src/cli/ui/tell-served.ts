/** What a second start of `ralph ui` says of the server that runs. */
import { RalphError } from "../../core/errors.ts";
import type { Door } from "../../effects/ui/door.ts";
import type { UiInstance } from "../../effects/ui/instance.ts";
import { VERSION } from "../../version.ts";
import type { CommandContext } from "../context.ts";

/** What was asked for. `port` 0: any. */
export type AskedUi = { control: boolean; far: Door | null; port: number };

const END_IT = "ralph ui stop";

/** @throws RalphError `environment` if the server that runs does not do what is asked */
export function tellServed(log: CommandContext["log"], first: UiInstance, asked: AskedUi): void {
  const served = `The page is served already, by process ${first.pid} at http://127.0.0.1:${first.port}/`;
  const but = differenceOf(first, asked);
  if (but !== null)
    throw new RalphError("environment", `${served}, and ${but}.`, { hint: `End that first: ${END_IT}` });
  log.info(first.others === null ? served : `${served}, and to paired devices at ${first.others}`);
  if (first.version !== VERSION)
    log.info(
      `It is the page of ${first.version === null ? "an earlier ralph" : `ralph ${first.version}`}, not of ${VERSION}.`,
    );
  log.info(`A browser that is new to it needs the address in its terminal. To begin anew: ${END_IT}`);
}

function differenceOf(first: UiInstance, { control, far, port }: AskedUi): string | null {
  if (control && !first.control) return "it only shows";
  if (far !== null && first.others === null) return "not to others";
  if (far !== null && first.others !== far.origin(far.port)) return `to others at ${first.others}`;
  return port === 0 || port === first.port ? null : `not at port ${port}`;
}
