import type { Driver, Host } from "../../driver.ts";
import { programOf } from "../../driver-host/registry.ts";
import { agentVersion } from "./agent-version.ts";

/** The document of `ralph drivers show NAME --json` (interfaces.md "ralph drivers show NAME --json"). */
export type DriverReport = {
  name: string;
  display_name: string;
  cli_binary: string | null;
  available: boolean;
  version: string | null;
  min_version: string | null;
  valid_tools: readonly string[];
  capabilities: { sessions: boolean; live_output: boolean; tool_allowlist: boolean };
  source: string;
  experimental: boolean;
};

/** All facts about a driver on this machine; asks its program for its version. */
export async function driverReport(
  { driver, source }: { driver: Driver; source: string },
  host: Host,
): Promise<DriverReport> {
  const program = programOf(driver, host);
  const binary = host.which(program);
  const version = binary === null ? null : await agentVersion([binary], host);
  const installed = version === null ? driver : (driver.forVersion?.(version) ?? driver);
  const unusable = driver.checkAvailable === undefined ? null : await driver.checkAvailable(host);
  return {
    name: driver.name,
    display_name: driver.displayName,
    cli_binary: binary,
    available: binary !== null && unusable === null,
    version,
    min_version: driver.minVersion ?? null,
    valid_tools: driver.validTools,
    capabilities: {
      sessions: installed.supportsSessions !== false,
      live_output: installed.supportsLiveOutput !== false,
      tool_allowlist: installed.supportsToolAllowlist === true,
    },
    source,
    experimental: driver.experimental === true,
  };
}
