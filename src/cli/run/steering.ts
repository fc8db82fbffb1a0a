import { join } from "node:path";
import type { ControlCommand } from "../../core/control-command.ts";
import { CONTROL_DIR, listenForControl } from "../../effects/journal/control-channel.ts";
import { applyControlCommand } from "../../run/apply-control.ts";
import type { Recorder } from "../../run/recorder.ts";
import type { StopController } from "../../run/stop-controller.ts";

/** What steers a run: from this process, and until it is closed from any terminal of its user. */
export type Steering = { steer(command: ControlCommand): void; close(): void };

/** Opens a run to commands. That others could not be heard is a warning, never the end of a run. */
export function openSteering(
  ralphDir: string,
  run: string,
  parts: { recorder: Recorder; stops: StopController },
): Steering {
  const carryOut = (command: ControlCommand) => applyControlCommand(command, parts);
  const isOver = () => parts.recorder.state().finished !== null;
  try {
    return { steer: carryOut, close: listenForControl(join(ralphDir, CONTROL_DIR), run, carryOut, isOver) };
  } catch (error) {
    const text = `This run can't be steered from other terminals: ${(error as Error).message}`;
    parts.recorder.append({ type: "note", level: "warn", text });
    return { steer: carryOut, close: () => {} };
  }
}
