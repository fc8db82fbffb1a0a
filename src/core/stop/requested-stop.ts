import type { StopBy } from "../journal/event.ts";
import type { StopReason } from "./stop-reasons.ts";

/** Why a run ends that was asked to, by who asked. */
export const STOPPED_BY = {
  user: "stopped_by_user",
  SIGINT: "interrupted",
  SIGTERM: "terminated",
  SIGHUP: "hung_up",
} as const satisfies Record<StopBy, StopReason>;
