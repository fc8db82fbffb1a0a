/**
 * The compiled program in a real pseudo-terminal: keys are typed once the screen is ready, and the screen is read back.
 */
import { binary } from "../../../scripts/lib/paths.ts";

export type Terminal = {
  pid: number;
  /** Waits until the screen shows a text after the part already seen. */
  sees(text: string): Promise<void>;
  type(keys: string): void;
  /** Everything shown, without escapes. */
  screen(): string;
  /** Everything shown, with escapes. */
  raw(): string;
  ended: Promise<number | null>;
};

export const KEYS = { enter: "\r", down: "\u001b[B", up: "\u001b[A", escape: "\u001b", interrupt: "\u0003" } as const;

/** @param program the words that start ralph */
export function terminal(
  argv: readonly string[],
  options: { cwd: string; env: Record<string, string>; program?: readonly string[]; columns?: number },
): Terminal {
  const { cwd, env, program = [binary], columns = 80 } = options;
  const decoder = new TextDecoder();
  let shown = "";
  let seen = 0;
  const child = Bun.spawn([...program, ...argv], {
    cwd,
    env: { TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows: 50,
      data: (_, data) => {
        shown += decoder.decode(data, { stream: true });
      },
    },
  });
  const screen = () => Bun.stripANSI(shown).replaceAll("\r", "");
  return {
    pid: child.pid,
    async sees(text) {
      for (const end = performance.now() + 60_000; ; await Bun.sleep(5)) {
        const at = screen().indexOf(text, seen);
        if (at >= 0) {
          seen = at + text.length;
          return;
        }
        if (performance.now() > end) throw new Error(`the screen never showed ${JSON.stringify(text)}:\n${screen()}`);
      }
    },
    type: (keys) => void child.terminal?.write(keys),
    screen,
    raw: () => shown,
    ended: child.exited.then((code) => code),
  };
}
