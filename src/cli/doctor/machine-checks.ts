import { type CheckResult, passed, warned } from "../../core/report/check-result.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { CommandContext } from "../context.ts";

type MachineFacts = {
  version: string;
  releases: string | null;
  platform: NodeJS.Platform;
  /** Whether an agent's processes can be given a mark that they cannot lose by chance, and that can be read. */
  canMark: boolean;
};

/** Whether all that an agent leaves is found, the terminal, and where new versions come from. */
export function machineChecks(
  { isTty, color, columns }: Pick<CommandContext, "isTty" | "color" | "columns">,
  settings: Settings,
  { version, releases, platform, canMark }: MachineFacts,
): CheckResult[] {
  const terminal = isTty.stdout
    ? `${columns} columns${color ? ", with colours" : ""}`
    : "none: plain lines, no questions";
  return [...processChecks(platform, canMark), passed("terminal", terminal), updateCheck(settings, version, releases)];
}

/** product.md "What is found of an agent"; where all is found, or no more can be, there is nothing to tell. */
function processChecks(platform: NodeJS.Platform, canMark: boolean): CheckResult[] {
  if (platform !== "linux" || canMark) return [];
  const lack = "An agent's daemon that empties its environment is not found here.";
  return [warned("processes", lack, "run the program for Linux, or Deno with -A")];
}

function updateCheck(
  { RALPH_UPDATE_CHECK, RALPH_UPDATE_URL: url }: Settings,
  version: string,
  releases: string | null,
): CheckResult {
  if (RALPH_UPDATE_CHECK === "false") return passed("updates", `this is ${version}; nothing is looked for`);
  if (url === null && releases === null)
    return passed("updates", `this is ${version}; RALPH_UPDATE_URL says where newer ones are`);
  if (url === null) return passed("updates", `this is ${version}; new ones come from ${releases}`);
  if (URL.canParse(url) && /^https?:/.test(url))
    return passed("updates", `this is ${version}; new ones come from ${url}`);
  return warned("updates", `RALPH_UPDATE_URL=${JSON.stringify(url)} is no web address.`, "unset RALPH_UPDATE_URL");
}
