import type { ControlCommand } from "../../core/control-command.ts";
import type { EventOf } from "../../core/journal/event.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import type { StopController } from "../../run/stop-controller.ts";
import type { CommandContext } from "../context.ts";
import { canAsk, canDraw, NO_DASHBOARD } from "../terminal.ts";
import { lazyView } from "./lazy-view.ts";
import type { TerminalView } from "./run-view-terminal.ts";

/** How `ralph run` shows its run: lines, the dashboard, or the journal as it is. */
export type RunView = {
  reader: EventSubscriber;
  onPartial(read: () => string): void;
  /** Shows a text for the user that is no event of the run, such as advice. */
  say(text: string): void;
  /** Called when the run has begun, and can be stopped and steered. */
  onRun(steering: Steering): void;
  /** Called when the run is over; resolves when the user has left the view. */
  onEnd(end: Pick<EventOf<"run_finished">, "exit_code">): Promise<void>;
  close(): void;
};

/** How a user stops and steers the run. */
export type Steering = { stops: StopController; steer(command: ControlCommand): void };

export type RunViewOptions = {
  context: Pick<CommandContext, "stdout" | "raw" | "log" | "isTty" | "color" | "columns" | "env">;
  project: string;
  ralphDir: string;
  how: "lines" | "dashboard" | "json";
  verbose: boolean;
  live: boolean;
  quiet: boolean;
  plan(): ParsedPlan | null;
};

/** Opens the view. Before the first agent only the code that it needs is loaded. */
export function openRunView(options: RunViewOptions): RunView {
  if (options.how === "json") return jsonView(options);
  const takesKeys = canAsk(options.context);
  const isPossible = takesKeys && canDraw(options.context);
  if (options.how === "dashboard" && !isPossible)
    options.context.log.warn(`${NO_DASHBOARD[takesKeys ? "plain" : "none"]}; here are lines instead.`);
  const how = isPossible ? options.how : "lines";
  return takesKeys ? terminalView({ ...options, how }) : lineView(options);
}

/** The journal's lines on stdout, and nothing else. */
function jsonView({ context }: RunViewOptions): RunView {
  return {
    reader: journalPrinter(context),
    onPartial: () => {},
    say: (text) => context.log.log(text),
    onRun: () => {},
    onEnd: async () => {},
    close: () => {},
  };
}

/** Prints each event as the journal has it. */
export function journalPrinter({ stdout }: Pick<CommandContext, "stdout">): EventSubscriber {
  return {
    name: "the printed journal",
    onEvents: (steps) => stdout(steps.map(({ event }) => `${JSON.stringify(event)}\n`).join("")),
  };
}

function lineView(options: RunViewOptions): RunView {
  const view = lazyView(async () => (await import("./run-view-lines.ts")).linesView(options));
  return {
    ...view,
    onRun: () => {},
    async onEnd() {
      await view.settled();
      view.close();
    },
  };
}

/** Lines or the dashboard, with keys that lead from one to the other. */
function terminalView(options: RunViewOptions): RunView {
  const { promise: run, resolve: begin } = Promise.withResolvers<Steering>();
  let opened: TerminalView | null = null;
  const view = lazyView(async () => {
    const { openTerminalView } = await import("./run-view-terminal.ts");
    opened = await openTerminalView(options, await run);
    return opened;
  });
  return {
    ...view,
    onRun(steering) {
      begin(steering);
      if (options.how === "dashboard") view.open();
    },
    async onEnd(end) {
      await view.settled();
      await opened?.onEnd(end);
      view.close();
    },
  };
}
