import { RalphError } from "../../core/errors.ts";
import { type CheckResult, failed, passed } from "../../core/report/check-result.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { visibleText } from "../../core/text/plain-text.ts";
import type { ProjectPaths } from "../../effects/project/project-paths.ts";
import type { DriverLookup } from "../agent/find-driver.ts";
import { judgeItems } from "../agent/project-trust.ts";
import { runItems } from "../agent/run-trust.ts";

/** Whether the user agreed to what the project makes ralph run or reach. */
export function trustCheck(resolved: ResolvedSettings, paths: ProjectPaths, lookup: DriverLookup): CheckResult {
  if (resolved.settings.RALPH_TRUST) return passed("trust", "RALPH_TRUST: whatever the project names");
  try {
    const items = judgeItems(runItems(resolved, paths, lookup), lookup.host);
    const open = items.filter(({ state }) => state !== "agreed").map(({ key }) => visibleText(key));
    if (open.length > 0) return failed("trust", `Not agreed to yet: ${open.join(", ")}.`, "ralph trust");
    return passed(
      "trust",
      items.length === 0 ? "the project runs nothing of its own" : "agreed to what the project runs",
    );
  } catch (error) {
    if (error instanceof RalphError) return failed("trust", error.message, error.hint);
    throw error;
  }
}
