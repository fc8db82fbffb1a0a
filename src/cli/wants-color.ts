import type { EnvVars } from "../core/env-vars.ts";

/**
 * `--no-color`, NO_COLOR, TERM=dumb and an output that is not a terminal switch colours off (product.md "Commands").
 */
export function wantsColor(flag: boolean | undefined, env: EnvVars, isTty: boolean): boolean {
  if (flag === false || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return false;
  return flag === true || isTty;
}
