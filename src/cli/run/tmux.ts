import { RalphError } from "../../core/errors.ts";
import { singleQuoted } from "../../core/text/shell-words.ts";
import type { Host } from "../../driver.ts";
import { createScratchFolder } from "../../effects/files/scratch-folder.ts";
import { readOptional } from "../../effects/project/project-paths.ts";
import { runInForeground } from "../../effects/terminal/run-in-foreground.ts";
import type { CommandContext } from "../context.ts";
import { canAsk } from "../terminal.ts";

type Context = Pick<CommandContext, "env" | "isTty" | "log" | "stdout" | "raw" | "projectDir" | "self"> & {
  args: { monitor: boolean; tmux: boolean | undefined; quiet: boolean };
};

const TIMEOUT_MS = 5000;

/**
 * Where the originals' three panes open: beside this pane if ralph runs in tmux, otherwise in a new session; null for no
 * panes. Inside tmux `--monitor` asks for them, outside only `--tmux`.
 * @throws RalphError `environment` if `--tmux` is given without a terminal or without tmux
 */
export function placeOfPanes(context: Context, host: Pick<Host, "which">): "here" | "new session" | null {
  const { monitor, tmux = monitor && isInside(context) } = context.args;
  if (!tmux) return null;
  const problem = !canAsk(context)
    ? (["The panes of --tmux need a terminal.", "In the background: ralph run --detach"] as const)
    : host.which("tmux") === null
      ? ([
          "tmux is not installed.",
          "Install it (apt install tmux, brew install tmux), or take --monitor without --tmux: a dashboard that needs none.",
        ] as const)
      : null;
  if (problem === null) return isInside(context) ? "here" : "new session";
  if (context.args.tmux === undefined) return null;
  throw new RalphError("environment", problem[0], { hint: problem[1] });
}

function isInside({ env }: Pick<Context, "env">): boolean {
  return (env.TMUX ?? "") !== "" && (env.TMUX_PANE ?? "") !== "";
}

type PanesOf = { host: Pick<Host, "run">; run: string; displayName: string };

/**
 * Opens the log and the dashboard of a run in panes beside this one. If tmux fails, the run goes on without them.
 * @returns a function that closes them
 */
export function openPanes(context: Context, { host, run, displayName }: PanesOf): () => Promise<void> {
  const { env, log, projectDir, self } = context;
  const here = env.TMUX_PANE ?? "";
  const tmux = (...words: string[]) => host.run(["tmux", ...words.map(tmuxWord)], TIMEOUT_MS);
  const title = (pane: string, text: string) => tmux("select-pane", "-t", pane, "-T", text);
  const opened: string[] = [];
  const split = async (beside: string, direction: "-h" | "-v", ...command: string[]) => {
    const place = ["-d", direction, "-t", beside, "-P", "-F", "#{pane_id}"];
    const done = await tmux("split-window", ...place, ...self, "-C", projectDir, ...command);
    if (done.exit_code !== 0) throw new Error(done.stderr.trim());
    const pane = done.stdout.trim();
    opened.push(pane);
    return pane;
  };
  const open = async (): Promise<string> => {
    const before = (await tmux("display-message", "-p", "-t", here, "#{pane_title}")).stdout.trim();
    try {
      const output = await split(here, "-h", "logs", run, "--follow");
      const status = await split(output, "-v", "monitor", run);
      await title(here, "Ralph Loop");
      await title(output, `${displayName} Output`);
      await title(status, "Status");
    } catch (error) {
      log.warn(`tmux cannot open panes here: ${(error as Error).message}\n  In another terminal: ralph monitor`);
    }
    return before;
  };
  const opening = open();
  return async () => {
    const before = await opening;
    // A pane that the user closed already is gone; tmux's error about it does not matter.
    for (const pane of opened) await tmux("kill-pane", "-t", pane);
    await title(here, before);
  };
}

/** tmux reads a `;` at the end of a word as the end of a command. */
function tmuxWord(word: string): string {
  return word.replace(/;$/, "\\;");
}

/** Variables that belong to the pane, not to the shell in which ralph was started. */
const OF_THE_PANE = new Set(["TMUX", "TMUX_PANE", "TERM", "COLUMNS", "LINES", "PWD", "OLDPWD", "SHLVL", "_"]);

/**
 * The session's command. The shell survives Ctrl+C: if it ended, the run would lose its terminal. The screen and the exit
 * code are saved because they end with the session.
 */
const SESSION_SCRIPT = `dir=$1; shift
. "$dir/env"; rm -f "$dir/env"
trap : INT QUIT
"$@"
code=$?
{ tmux capture-pane -pe -S - -t "$TMUX_PANE" >"$dir/screen"; echo "$code" >"$dir/exit"; } 2>/dev/null`;

/**
 * Runs the same command line in a new tmux session, attached to this terminal until the run ends or the user detaches. A
 * running tmux server does not have this shell's environment, so a private file passes it on.
 * @param words the command line of this process
 * @returns the exit code of the run; 0 after a detach
 * @throws RalphError `environment` if the session cannot be opened or is closed before the run ends
 */
export async function runInSession(
  { env, stdout, raw, self, args }: Context,
  { host, words, now }: { host: Pick<Host, "run">; words: readonly string[]; now: number },
): Promise<number> {
  const name = `ralph-${Math.floor(now / 1000)}`;
  const scratch = createScratchFolder("ralph-tmux-");
  try {
    scratch.write("env", environmentScript(env));
    const command = ["sh", "-c", SESSION_SCRIPT, "sh", scratch.path("."), ...self, ...words].map(tmuxWord);
    const { TMUX: _, ...outside } = env;
    const exit = runInForeground(["tmux", "new-session", "-s", name, ...command], outside);
    // On a full disk the file is there and has no code in it, which must not count as 0.
    const code = /^\d+/.exec(readOptional(scratch.path("exit")) ?? "")?.[0];
    if (code !== undefined) {
      raw(`${(readOptional(scratch.path("screen")) ?? "").trimEnd()}\n`);
      return Number(code);
    }
    if (exit !== 0) throw new RalphError("environment", "tmux could not open a session; its message stands above.");
    if ((await host.run(["tmux", "has-session", "-t", `=${name}`], TIMEOUT_MS)).exit_code !== 0)
      throw new RalphError("environment", "The tmux session was closed before the run had ended.", {
        hint: "See how it ended with: ralph status",
      });
    if (!args.quiet) stdout(`The run goes on in tmux. Back to it: tmux attach -t ${name}\n`);
    return 0;
  } finally {
    scratch.remove();
  }
}

function environmentScript(env: Context["env"]): string {
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && /^[A-Za-z_]\w*$/.test(name) && !OF_THE_PANE.has(name))
    .map(([name, value]) => `export ${name}=${singleQuoted(value ?? "")}\n`)
    .join("");
}
