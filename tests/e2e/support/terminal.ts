/**
 * The compiled program in a real pseudo-terminal: keys are typed once the screen is ready, and the screen is read back.
 */
import { binary } from "../../../scripts/lib/paths.ts";

export type Terminal = {
  pid: number;
  /** Waits until the screen shows a text after the part already seen; throws if it never will. */
  sees(text: string): Promise<void>;
  type(keys: string): void;
  /** Everything shown, without escapes. */
  screen(): string;
  /** Everything shown, with escapes. */
  raw(): string;
  ended: Promise<number | null>;
};

export const KEYS = { enter: "\r", down: "\u001b[B", up: "\u001b[A", escape: "\u001b", interrupt: "\u0003" } as const;

/** So long after a program's end what it showed last is waited for. */
const LAST_MS = 1000;

/** @param program the words that start ralph */
export function terminal(
  argv: readonly string[],
  options: { cwd: string; env: Record<string, string>; program?: readonly string[]; columns?: number },
): Terminal {
  const { cwd, env, program = [binary], columns = 80 } = options;
  const decoder = new TextDecoder();
  let shown = "";
  let seen = 0;
  const { promise: shownAll, resolve: showedAll } = Promise.withResolvers<void>();
  const child = Bun.spawn([...program, ...argv], {
    cwd,
    env: { TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows: 50,
      exit: () => showedAll(),
      data: (_, data) => {
        shown += decoder.decode(data, { stream: true });
      },
    },
  });
  const screen = () => Bun.stripANSI(shown).replaceAll("\r", "");
  /** How the program ended; null while it runs. */
  const state = () => child.signalCode ?? child.exitCode;
  const never = (text: string) => {
    const program = state() === null ? "still runs" : `ended (${state()})`;
    return `the program ${program}, and the screen never showed ${JSON.stringify(text)}:\n${screen()}\n${JSON.stringify(shown)}`;
  };
  return {
    pid: child.pid,
    async sees(text) {
      for (let end = performance.now() + 60_000; ; await Bun.sleep(5)) {
        if (state() !== null) end = Math.min(end, performance.now() + LAST_MS);
        const at = screen().indexOf(text, seen);
        if (at >= 0) {
          seen = at + text.length;
          return;
        }
        if (performance.now() > end) throw new Error(never(text));
      }
    },
    type: (keys) => void child.terminal?.write(keys),
    screen,
    raw: () => shown,
    // The last of what a program shows may come after the news of its end; what it left behind may hold the terminal.
    ended: child.exited.then((code) => Promise.race([shownAll, Bun.sleep(LAST_MS)]).then(() => code)),
  };
}
