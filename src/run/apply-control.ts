import type { ControlCommand } from "../core/control-command.ts";
import type { Recorder } from "./recorder.ts";
import type { StopController } from "./stop-controller.ts";

/** Carries out a user's command. A command that changes nothing is not recorded. */
export function applyControlCommand(
  command: ControlCommand,
  { recorder, stops }: { recorder: Pick<Recorder, "append" | "state">; stops: StopController },
): void {
  const state = recorder.state();
  if (state.finished !== null) return;
  switch (command.command) {
    case "say":
      recorder.append({ type: "said", text: command.text });
      return;
    case "answer": {
      const { number, text } = command;
      if (state.inbox.open.some((one) => one.number === number))
        recorder.append({ type: "question_answered", number, text });
      return;
    }
    case "stop":
      if (state.stop_requested?.how !== command.how) stops.request("user", command.how);
      return;
    case "withdraw":
      if (state.stop_requested !== null && stops.withdraw()) recorder.append({ type: "stop_withdrawn" });
      return;
    case "pause":
      if (state.paused) return;
      recorder.append({ type: "paused" });
      stops.endWait();
      return;
    case "resume":
      if (!state.paused) return;
      recorder.append({ type: "resumed" });
      stops.endWait();
      return;
    case "accept_gates":
      if (state.gate_trust.weakened !== null) recorder.append({ type: "gate_accepted" });
      return;
    case "extend":
      if (typeof state.settings.MAX_ITERATIONS === "number")
        recorder.append({ type: "bound_raised", iterations: command.iterations });
      else recorder.append({ type: "note", level: "info", text: "The run has no bound on iterations to raise." });
  }
}
