import { shouldCheckForUpdate } from "../../core/release/update-notice.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { CommandContext } from "../context.ts";

/** A check for a new version, running beside the work. */
export type UpdateCheck = {
  /** Prints the notice after the work, if a newer version is known by now. */
  report(): Promise<void>;
};

/** How long the end of a command waits for an answer on its way. */
const GRACE_MS = 20;

/** Starts the check if user, terminal and calendar allow it (product.md "Self-update check"). Never fails. */
export function startUpdateCheck(
  { env, isTty, self, log }: Pick<CommandContext, "env" | "isTty" | "self" | "log">,
  mode: Settings["RALPH_UPDATE_CHECK"],
): UpdateCheck {
  if (!shouldCheckForUpdate({ mode, inCi: (env.CI ?? "") !== "", isTty: isTty.stderr }))
    return { report: async () => {} };
  const notice = import("./ask-for-update.ts")
    .then(({ askForUpdate }) => askForUpdate({ env, self, now: Date.now(), always: mode === "always" }))
    .catch(() => null);
  return {
    async report() {
      const { promise: patience, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(resolve, GRACE_MS, null);
      const text = await Promise.race([notice, patience]);
      clearTimeout(timer);
      if (text !== null) log.log(text);
    },
  };
}
