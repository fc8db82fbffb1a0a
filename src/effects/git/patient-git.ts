/** git for a program that nobody watches: a remote that is away for some minutes ends nothing. */
import { gitFailure, RETRY_AFTER_MS } from "../../core/publish/git-failure.ts";
import { type Git, gitSaid, needOf } from "./git-program.ts";
import { asksRemote } from "./remote-git.ts";

/** Ten minutes: a router that starts anew, a service that is rolled out. */
const MORE_WAITS = 20;

export type Patience = {
  /** Waits some ms. */
  sleep(ms: number): Promise<void>;
  /** Called before the first wait. @param said what git said */
  onWait(said: string): void;
};

/**
 * The same git, which asks a remote again where the network failed (git-failure.ts). A push that is asked again may have arrived the
 * first time: who leases a ref finds its own commit there.
 */
export function patientGit(git: Git, { sleep, onWait }: Patience): Git {
  const run: Git["run"] = async (args, options) => {
    const waits = [...RETRY_AFTER_MS, ...Array.from({ length: MORE_WAITS }, () => RETRY_AFTER_MS.at(-1) ?? 0)];
    for (let tries = 0; ; tries += 1) {
      const result = await git.run(args, options);
      const wait = waits[tries];
      if (result.code === 0 || result.ended !== undefined || wait === undefined) return result;
      if (!asksRemote(args) || gitFailure(gitSaid(result)) !== "passing") return result;
      if (tries === 0) onWait(gitSaid(result));
      await sleep(wait);
    }
  };
  return { dir: git.dir, run, need: needOf(run) };
}
