import process from "node:process";
import type { EventStep } from "../../core/journal/event-step.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { type Notification, notificationFor } from "../../core/report/notification.ts";
import { notifierCommand } from "../../core/report/notifier-command.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { shellCommand } from "../../core/shell-command.ts";
import type { Host } from "../../driver.ts";
import type { BackgroundRunner } from "../../effects/process/background-commands.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { BELL, oscNotification } from "../../view/text/osc.ts";
import type { CommandContext } from "../context.ts";

type Options = {
  context: Pick<CommandContext, "raw" | "stderr" | "isTty">;
  settings: Pick<Settings, "ENABLE_NOTIFICATIONS" | "NOTIFY_COMMAND">;
  host: Pick<Host, "platform" | "env" | "cwd" | "which">;
  /** Starts a program without waiting for it. */
  start: BackgroundRunner["start"];
  /** Tells the user of the run, as long as it lives. */
  warn(text: string): void;
};

/**
 * Notifies a user who is looking elsewhere (`--notify`): by the platform's notifier on a local machine, else through
 * the terminal; always with the bell and the user's own NOTIFY_COMMAND. Empty without `--notify`.
 */
export function notifyReaders({ context, settings, host, start, warn }: Options): EventSubscriber[] {
  if (!settings.ENABLE_NOTIFICATIONS) return [];
  const { raw, stderr, isTty } = context;
  const terminal = isTty.stderr ? stderr : isTty.stdout ? raw : null;
  const surroundings = { cwd: host.cwd, env: host.env };
  let isTold = false;
  // Its user may be asleep, and rely on it.
  const tellFailure = (how: string) => {
    if (isTold) return;
    isTold = true;
    warn(`NOTIFY_COMMAND failed (${how}): what it was to tell may not have arrived. Further failures are not told.`);
  };
  const notify = (notification: Notification, step: EventStep) => {
    const native = notifierCommand(notification, host.platform, host.env, host.which);
    if (native !== null) start(native, surroundings);
    terminal?.((native === null ? oscNotification(notification, host.env) : "") + BELL);
    if (settings.NOTIFY_COMMAND === null) return;
    const command = shellCommand(settings.NOTIFY_COMMAND, host.platform);
    start({ ...command, stdin: `${JSON.stringify(documentOf(notification, step))}\n` }, surroundings, tellFailure);
  };
  return [
    {
      name: "the notifications",
      onEvents(steps) {
        for (const step of steps) {
          const notification = notificationFor(step);
          if (notification !== null) notify(notification, step);
        }
      },
    },
  ];
}

/** The input of NOTIFY_COMMAND: the notification, the state of the run, and the journal event behind both. */
function documentOf({ kind, title, text }: Notification, { event, state }: EventStep): Record<string, unknown> {
  return {
    kind,
    title,
    text,
    project: state.project,
    project_name: state.settings.PROJECT_NAME ?? null,
    task: state.task,
    run: state.run,
    iteration: state.iteration,
    iterations: state.iterations,
    tokens: totalTokens(state.usage),
    cost_usd: state.usage.cost_usd,
    pid: process.pid,
    event,
  };
}
