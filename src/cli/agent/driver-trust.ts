import { relative } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { Host } from "../../driver.ts";
import { isTrusted, rememberTrust } from "../../effects/user/trusted-drivers.ts";
import { confirm } from "../ask/ask.ts";

export type TrustQuestion = {
  /** Absolute path of the driver's file. */
  path: string;
  host: Host;
  /** RALPH_TRUST_DRIVERS, which only the user can set, not the project. */
  trustAll: boolean;
  canAsk: boolean;
};

/**
 * A project's own driver is code that runs as the user. The user has to allow it before its first run, once per
 * content.
 * @throws RalphError `environment` if the user refuses or cannot be asked
 */
export async function requireTrust({ path, host, trustAll, canAsk }: TrustQuestion): Promise<void> {
  if (trustAll || isTrusted(host, path)) return;
  const shown = relative(host.cwd, path) || path;
  if (!canAsk) {
    throw new RalphError(
      "environment",
      `The driver ${path} is code of this project, and you have not allowed it to run yet.`,
      {
        hint: `Read ${shown}, then pass --trust-driver (or set RALPH_TRUST_DRIVERS=true), or answer once on a terminal.`,
      },
    );
  }
  const agreed = await confirm(
    `${shown} is a driver of this project: a program that runs with your rights. Have you read it, and may it run?`,
  );
  if (!agreed)
    throw new RalphError("environment", `The driver ${path} may not run.`, {
      hint: "Choose another with --driver NAME.",
    });
  rememberTrust(host, path);
}
