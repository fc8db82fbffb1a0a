import { realpathSync } from "node:fs";
import { type Build, build } from "../../build.ts";
import type { EnvVars } from "../../core/env-vars.ts";
import { detectInstallMethod, type InstallMethod, updateCommand } from "../../core/release/installation.ts";
import { resolveSettings } from "../../core/settings/resolve-settings.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";

/** Where this ralph's updates come from, and whether it can install them itself. */
export type UpdateFacts = {
  build: Build;
  /** Address of the folder that holds `latest.json`; null if none is configured. */
  source: string | null;
  /** The program, with links resolved; null if ralph runs from source or as a bundle. */
  program: string | null;
  keeper: InstallMethod;
};

/** @param self the words that start this ralph again */
export function updateFacts(env: EnvVars, self: readonly string[]): UpdateFacts {
  const facts = build();
  const { RALPH_UPDATE_URL } = env;
  const { settings } = resolveSettings({
    flags: {},
    env: { RALPH_UPDATE_URL },
    file: null,
    user: readUserSettings(env),
  });
  const named = (settings.RALPH_UPDATE_URL ?? "").trim();
  const program = facts.target === null || self.length !== 1 ? null : realpathSync(self[0] ?? "");
  return {
    build: facts,
    source: named === "" ? facts.releases : named.replace(/\/+$/, ""),
    program,
    keeper: program === null ? "own" : detectInstallMethod(program),
  };
}

/** What to type, or where to look, to get a newer version. */
export function howToUpdate({ build: { publicKey }, source, program, keeper }: UpdateFacts): string {
  const canInstall = program !== null && (publicKey !== null || keeper !== "own");
  return canInstall ? updateCommand(keeper) : (source ?? "").replace(/\/latest\/download$/, "/latest");
}
