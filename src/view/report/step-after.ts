import type { ReportNext } from "../../core/report/report-types.ts";

/** What leads on from a report; null where that is the report itself. */
export function stepAfter(next: ReportNext | null): string | null {
  return next === null || next.commands.join() === "ralph report" ? null : next.step;
}
