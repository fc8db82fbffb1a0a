import type { EnvVars } from "../../core/env-vars.ts";
import { parseRalphrc } from "../../core/settings/ralphrc.ts";
import { settingNamed } from "../../core/settings/settings.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";
import type { Host } from "../../driver.ts";
import { BUILT_IN_DRIVERS } from "../../driver-host/registry.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import { agentVersion } from "./agent-version.ts";
import { driverReport } from "./driver-report.ts";

type Values = Readonly<Record<string, string>>;

/** The command that stands in for an agent's own program. `isUsers`: no project says so, so it may be asked for its version. */
export type OwnCommand = { driver: string; words: readonly string[]; isUsers: boolean };

/**
 * The built-in agents except the demo, each asked for its version.
 * @param own a command that one of them is started with
 */
export async function findAgents(host: Host, own: OwnCommand | null): Promise<FoundAgent[]> {
  const known = BUILT_IN_DRIVERS.filter((driver) => driver.name !== "demo");
  return Promise.all(
    known.map(async (driver): Promise<FoundAgent> => {
      const { name, displayName } = driver;
      if (own?.driver === name) {
        const available = host.which(own.words[0] ?? "") !== null;
        return {
          name,
          displayName,
          available,
          version: available && own.isUsers ? await agentVersion(own.words, host) : null,
        };
      }
      const { version, available } = await driverReport({ driver, source: "built-in" }, host);
      return { name, displayName, version, available };
    }),
  );
}

/**
 * The command that CLAUDE_CODE_CMD names, and the driver that it is for; null if it has no value.
 * @param chosen the driver that a flag names
 * @param project values of the project's settings file @param user of the user's
 */
export function ownCommand(env: EnvVars, chosen: string | null, project: Values, user: Values): OwnCommand | null {
  const value = (name: string) =>
    [env, project, user].map((place) => place[name]).find((one) => one !== undefined && one !== "");
  const command = value("CLAUDE_CODE_CMD");
  if (command === undefined) return null;
  const isUsers = command === env.CLAUDE_CODE_CMD || project.CLAUDE_CODE_CMD === undefined;
  return {
    driver: chosen ?? value("PLATFORM_DRIVER") ?? "claude-code",
    words: splitShellWords(command) ?? [command],
    isUsers,
  };
}

/** The settings that could be read. Refused lines are skipped: `ralph config` and every run report them. */
export function readableSettings(text: string | null): Record<string, string> {
  const { assignments } = parseRalphrc(text ?? "", { env: {} });
  return Object.fromEntries(
    assignments.filter(({ value }) => value !== "").map(({ key, value }) => [settingNamed(key) ?? key, value]),
  );
}
