import type { EnvVars } from "../core/env-vars.ts";

/** `--no-color`, NO_COLOR and TERM=dumb switch colours off, as does an output that is no terminal (product.md). */
export function wantsColor(flag: boolean | undefined, env: EnvVars, isTty: boolean): boolean {
  if (flag === false || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return false;
  return flag === true || isTty;
}
