import type { ConfigWarning, ResolvedSettings } from "../core/settings/resolve-settings.ts";
import { didYouMean } from "../core/settings/suggest.ts";
import type { Driver } from "../driver.ts";

/**
 * Settings that the driver cannot honour: unknown tools, or a tool list that it does not support (product.md "Flags").
 * Defaults cause no warning: the user did not set them. Tools of MCP servers are the agent's own business.
 */
export function driverWarnings(
  driver: Driver,
  { settings, sources }: Pick<ResolvedSettings, "settings" | "sources">,
): ConfigWarning[] {
  const { source, where } = sources.ALLOWED_TOOLS;
  if (source === "default") return [];
  const place = where ?? source;
  if (driver.supportsToolAllowlist !== true)
    return [
      { message: `${driver.displayName} does not support a list of tools: ALLOWED_TOOLS has no effect.`, where: place },
    ];
  const known = [...new Set(driver.validTools.map(baseOf))];
  return settings.ALLOWED_TOOLS.filter((tool) => !tool.startsWith("mcp__") && !known.includes(baseOf(tool))).map(
    (tool) => ({
      message: `${driver.displayName} is not known to have a tool ${tool}; it is passed on as it is.${didYouMean(baseOf(tool), known)}`,
      where: place,
    }),
  );
}

/** The tool of a pattern: `Bash(git *)` belongs to Bash. */
function baseOf(tool: string): string {
  const open = tool.indexOf("(");
  return open === -1 ? tool : tool.slice(0, open);
}
