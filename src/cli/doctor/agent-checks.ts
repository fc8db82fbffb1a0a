import { isOlder } from "../../core/release/semver.ts";
import { type CheckResult, failed, failedBy, passed, warned } from "../../core/report/check-result.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { driverWarnings } from "../../driver-host/driver-warnings.ts";
import { BUILT_IN_DRIVERS, programOf } from "../../driver-host/registry.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import { askVersion, minimumVersion, tooOldText, type VersionAnswer } from "../agent/agent-version.ts";
import type { DriverLookup } from "../agent/find-driver.ts";
import { preflight } from "../run/preflight.ts";

/** Whether the agent is installed, new enough and ready, and which settings it cannot honour. */
export async function agentChecks(
  agent: AgentChoice,
  resolved: Pick<ResolvedSettings, "settings" | "sources">,
  { host, mayStart }: Pick<DriverLookup, "host" | "mayStart">,
): Promise<CheckResult[]> {
  const { driver, binary, source } = agent;
  const [program = ""] = binary;
  const path = host.which(program);
  const named = source === "built-in" ? driver.name : `${driver.name} (${source})`;
  if (path === null) return [passed("driver", named), notInstalled(agent, host)];
  const command = binary.join(" ");
  if (!mayStart)
    return [
      passed("driver", named),
      warned("agent", `${command} is not asked for its version: not trusted yet.`, "ralph trust"),
    ];
  const answer = await askVersion(binary, host);
  return [
    passed("driver", named),
    passed("agent", `${driver.displayName}, ${path}`),
    versionCheck(agent, answer, host, resolved.settings),
    await readyCheck(agent, resolved, host),
    ...driverWarnings(driver, resolved).map(({ message, where }) => warned("tools", message, where)),
  ];
}

/** What to install: this agent, or if no agent is installed, any of those that ralph knows. */
function notInstalled({ driver, binary, source }: AgentChoice, host: Host): CheckResult {
  const agents = BUILT_IN_DRIVERS.filter((one) => one.installCommand !== undefined);
  const here = agents.filter((one) => host.which(programOf(one, host)) !== null);
  const detail = `${driver.displayName} is not installed: there is no program ${JSON.stringify(binary[0] ?? "")} on the PATH.`;
  if (source !== "built-in")
    return failed("agent", detail, driver.installCommand ?? "Or name its program with CLAUDE_CODE_CMD.");
  if (here.length > 0) {
    const others = `Or take another: --driver ${here.map(({ name }) => name).join(" | ")}`;
    return failed("agent", detail, [driver.installCommand, others].filter(Boolean).join("\n"));
  }
  const width = Math.max(...agents.map(({ displayName }) => displayName.length)) + 2;
  const all = agents.map((one) => `${one.displayName.padEnd(width)}${one.installCommand}`);
  return failed(
    "agent",
    "No agent is installed.\nInstall one of these, and log in by starting it once:",
    all.join("\n"),
  );
}

/** Every agent with a built-in driver reports its version. A wrapper around one need not. */
function mustReportVersion({ driver, binary, source }: AgentChoice, host: Host): boolean {
  return source === "built-in" && binary.join(" ") === programOf(driver, host);
}

function versionCheck(
  agent: AgentChoice,
  { version, problem }: VersionAnswer,
  host: Host,
  settings: Settings,
): CheckResult {
  const { driver } = agent;
  const minimum = minimumVersion(driver, settings);
  if (problem !== null && mustReportVersion(agent, host))
    return failed("version", problem, driver.installCommand ?? null);
  if (version === null) return warned("version", problem ?? `${driver.displayName} does not report its version.`, null);
  if (minimum === null || !isOlder(version, minimum))
    return passed("version", minimum === null ? version : `${version}, at least ${minimum}`);
  return failed("version", tooOldText(driver, version, minimum), driver.installCommand ?? null);
}

/** What the driver can tell without a call, such as whether the agent is logged in. */
async function readyCheck(
  agent: AgentChoice,
  { settings }: Pick<ResolvedSettings, "settings">,
  host: Host,
): Promise<CheckResult> {
  const { driver } = agent;
  const unusable = (await driver.checkAvailable?.(host)) ?? null;
  if (unusable !== null) return failed("ready", unusable, driver.loginCommand ?? null);
  try {
    preflight(agent, settings, host);
  } catch (error) {
    return failedBy("ready", error);
  }
  return passed("ready", "as far as can be told without a call; ralph drivers test makes one");
}
