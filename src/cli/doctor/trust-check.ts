import { type CheckResult, failed, failedBy, passed } from "../../core/report/check-result.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { visibleText } from "../../core/text/plain-text.ts";
import type { ProjectPaths } from "../../effects/project/project-paths.ts";
import type { DriverLookup } from "../agent/find-driver.ts";
import { openItems } from "../agent/project-trust.ts";
import { runItems } from "../agent/run-trust.ts";

/** Whether the user agreed to what the project makes ralph run or reach. */
export function trustCheck(resolved: ResolvedSettings, paths: ProjectPaths, lookup: DriverLookup): CheckResult {
  if (resolved.settings.RALPH_TRUST) return passed("trust", "RALPH_TRUST: whatever the project names");
  try {
    const items = runItems(resolved, paths, lookup);
    const open = openItems(items, lookup.host).map(({ key }) => visibleText(key));
    if (open.length > 0) return failed("trust", `Not agreed to yet: ${open.join(", ")}.`, "ralph trust");
    return passed(
      "trust",
      items.length === 0 ? "the project runs nothing of its own" : "agreed to what the project runs",
    );
  } catch (error) {
    return failedBy("trust", error);
  }
}
