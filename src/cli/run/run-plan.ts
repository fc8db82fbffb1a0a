import type { Settings } from "../../core/settings/settings.ts";
import type { Driver, Host } from "../../driver.ts";
import type { ProjectPaths } from "../../effects/project/project-paths.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import type { StopController } from "../../run/stop-controller.ts";
import type { Steering } from "./steering.ts";

/** What a run is to be: everything that was decided before it begins. */
export type RunPlan = {
  paths: ProjectPaths;
  settings: Settings;
  driver: Driver;
  binary: readonly string[];
  host: Host;
  version: string;
  /** How the run came to be: `cli`, `demo` … */
  startedBy: string;
  /** A text that stands for prompt and plan; null to read the project's files. */
  task: string | null;
  readers: readonly EventSubscriber[];
  onPartial(text: string): void;
  live: boolean;
  /** Called once the run can be stopped and steered. */
  onStops(stops: StopController, steer: Steering["steer"]): void;
};
