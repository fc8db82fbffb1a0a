import type { Command } from "../../driver.ts";
import type { EnvVars } from "../env-vars.ts";

/** Title and text never become code: they are passed as arguments or environment variables. */
const APPLE_SCRIPT = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
const TOAST = [
  "$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)",
  "$words = $toast.GetElementsByTagName('text')",
  "$null = $words.Item(0).AppendChild($toast.CreateTextNode($env:RALPH_TITLE))",
  "$null = $words.Item(1).AppendChild($toast.CreateTextNode($env:RALPH_TEXT))",
  "$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($toast))",
].join("; ");

/**
 * The platform's own notifier; null if there is none or its user could not see it: over ssh, and on Linux without a
 * graphical session.
 * @param which finds a program on PATH
 */
export function notifierCommand(
  { title, text }: { title: string; text: string },
  platform: NodeJS.Platform,
  env: EnvVars,
  which: (program: string) => string | null,
): Command | null {
  if (env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined) return null;
  if (platform === "darwin") {
    const program = which("osascript");
    if (program === null) return null;
    return { argv: [program, ...APPLE_SCRIPT.flatMap((line) => ["-e", line]), "--", title, text] };
  }
  if (platform === "win32") {
    const program = which("powershell");
    if (program === null) return null;
    return {
      argv: [program, "-NoProfile", "-NonInteractive", "-Command", TOAST],
      env: { RALPH_TITLE: title, RALPH_TEXT: text },
    };
  }
  if (env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined) return null;
  const program = which("notify-send");
  return program === null ? null : { argv: [program, "--app-name=ralph", "--", title, withoutMarkup(text)] };
}

/** The text of a freedesktop notification is markup: bold words and links, but also images. */
function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
