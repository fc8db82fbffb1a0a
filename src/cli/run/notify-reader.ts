import process from "node:process";
import type { EventStep } from "../../core/journal/event-step.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { warning } from "../../core/journal/warning.ts";
import { type Notification, notificationFor } from "../../core/report/notification.ts";
import { notifierCommand } from "../../core/report/notifier-command.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { shellCommand } from "../../core/shell-command.ts";
import type { Host } from "../../driver.ts";
import { type BackgroundRunner, createBackgroundRunner } from "../../effects/process/background-commands.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import type { Run } from "../../run/run.ts";
import { BELL, oscNotification } from "../../view/text/osc.ts";
import type { CommandContext } from "../context.ts";

type Options = {
  context: Pick<CommandContext, "raw" | "stderr" | "isTty" | "log">;
  settings: Pick<Settings, "ENABLE_NOTIFICATIONS" | "NOTIFY_COMMAND">;
  host: Pick<Host, "platform" | "env" | "cwd" | "which">;
};

/** What tells a user who is elsewhere. */
export type Notifications = {
  /** Empty without `--notify`. */
  readers: EventSubscriber[];
  /** Takes the run in whose journal a failure to tell is noted. */
  onRun(run: Run): void;
  /** Ends what still tells, and warns of what did not arrive after the run's end. */
  close(): Promise<void>;
};

/** Opens the notifications of a run or a swarm. */
export function openNotifications({ context, settings, host }: Options): Notifications {
  const beside = createBackgroundRunner();
  const late: string[] = [];
  let run: Run | null = null;
  const warn = (text: string) => {
    try {
      if (run === null || run.state().finished !== null) late.push(text);
      else run.append(warning(text));
    } catch {
      // Only the journal can fail here, and the loop notices that itself.
    }
  };
  return {
    readers: notifyReaders({ context, settings, host, start: beside.start, warn }),
    onRun(begun) {
      run = begun;
    },
    async close() {
      await beside.end();
      for (const text of late) context.log.warn(text);
    },
  };
}

type Telling = Options & {
  /** Starts a program without waiting for it. */
  start: BackgroundRunner["start"];
  /** Tells the user of a failure to tell. */
  warn(text: string): void;
};

/**
 * Notifies a user who is looking elsewhere (`--notify`): by the platform's notifier on a local machine, else through
 * the terminal; always with the bell and the user's own NOTIFY_COMMAND. Empty without `--notify`.
 */
function notifyReaders({ context, settings, host, start, warn }: Telling): EventSubscriber[] {
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
