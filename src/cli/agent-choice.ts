import { RalphError } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import { splitWords } from "../core/words.ts";
import type { Driver, Host } from "../driver.ts";
import { findDriver } from "../drivers/registry.ts";

export type AgentChoice = {
  driver: Driver;
  source: string /** The program and leading arguments. */;
  binary: string[];
};

/**
 * The driver that the settings name, and the words that start its program.
 * @throws RalphError `config` for an unknown driver or an unclosed quote in CLAUDE_CODE_CMD
 */
export function chooseAgent(settings: Settings, host: Host, self: readonly string[]): AgentChoice {
  const { driver, source } = findDriver(settings.PLATFORM_DRIVER);
  return { driver, source, binary: binaryOf(driver, settings, host, self) };
}

function binaryOf(driver: Driver, settings: Settings, host: Host, self: readonly string[]): string[] {
  if (driver.name === "demo" && host.env.RALPH_DEMO_AGENT === undefined) return [...self];
  const command = settings.CLAUDE_CODE_CMD;
  if (command === null) return [typeof driver.cliBinary === "string" ? driver.cliBinary : driver.cliBinary(host)];
  const words = splitWords(command);
  if (words === null || words.length === 0) {
    throw new RalphError(
      "config",
      `CLAUDE_CODE_CMD=${JSON.stringify(command)} is no command line: a quote is not closed.`,
      { hint: "Quote words that hold blanks, as in: CLAUDE_CODE_CMD='\"/opt/my agent/claude\" --flag'" },
    );
  }
  return words;
}

/**
 * Checks that the agent can be started at all.
 * @throws RalphError `environment` with the way out
 */
export async function requireAgent({ driver, binary }: AgentChoice, host: Host): Promise<void> {
  const [program = ""] = binary;
  const unusable = driver.checkAvailable === undefined ? null : await driver.checkAvailable(host);
  if (unusable === null && host.which(program) !== null) return;
  throw new RalphError(
    "environment",
    unusable ?? `${driver.displayName} is not installed: there is no program ${JSON.stringify(program)} on the PATH.`,
    {
      hint:
        driver.installCommand === undefined
          ? "Install it, or name its command with CLAUDE_CODE_CMD."
          : `Install it with: ${driver.installCommand}`,
    },
  );
}
