/** The compiled program on a terminal of its own, and the content of its screen. */
import { binary } from "../../../scripts/lib/paths.ts";
import { until } from "./until.ts";

export type Pty = {
  /** The lines on the screen. */
  lines(): string[];
  /** Waits until the screen contains a text. */
  shows(what: string | RegExp): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** The title of the window; null as long as nobody set one. */
  title(): string | null;
  /** The newest state of each terminal mode: alternate screen, cursor, wrapping. */
  modes(): { alternate: boolean; cursor: boolean; wraps: boolean };
  /** Whether the program gets reports of the mouse. */
  mouse(): boolean;
  /** The texts that it put on the clipboard. */
  clipboard(): string[];
  /** Everything written outside of the alternate screen. */
  normal(): string;
  /**
   * The lines that stay, with their colours, without those drawn over. Only for output of programs that are not
   * full-screen.
   */
  durable(): string[];
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Takes the terminal away, as its window does that is closed. */
  hangUp(): void;
  exited: Promise<number>;
};

export type PtyOptions = {
  cwd: string;
  env: Record<string, string>;
  columns?: number;
  rows?: number;
  program?: string;
};

/** Starts ralph, or another program, on a terminal. */
export function onTerminal(
  argv: readonly string[],
  { cwd, env, columns = 120, rows = 36, program = binary }: PtyOptions,
): Pty {
  const emulator = createEmulator();
  const decoder = new TextDecoder();
  let raw = "";
  const take = (_: unknown, bytes: Uint8Array) => {
    const text = decoder.decode(bytes, { stream: true });
    raw += text;
    emulator.take(text);
  };
  const child = Bun.spawn([program, ...argv], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    terminal: { cols: columns, rows, data: take },
  });
  const { terminal } = child;
  if (terminal === undefined) throw new Error("no terminal");
  return {
    lines: emulator.lines,
    shows: (what) =>
      until(`${what} on the screen:\n${emulator.lines().join("\n")}`, () => {
        const text = emulator.lines().join("\n");
        return typeof what === "string" ? text.includes(what) : what.test(text);
      }),
    type: (keys) => void terminal.write(keys),
    resize: (width, height) => terminal.resize(width, height),
    title: emulator.title,
    modes: emulator.modes,
    mouse: emulator.mouse,
    clipboard: emulator.clipboard,
    normal: emulator.normal,
    durable: () => durableLines(raw),
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    hangUp: () => terminal.close(),
    exited: child.exited,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's language
const PART = /^(?:\u001b\[([?0-9;]*)([A-Za-z])|\u001b\](2|52;c);([^\u0007]*)\u0007|[^\u001b]+)/;

/** As much of a terminal as our full-screen programs need: they write whole lines at their places. */
function createEmulator() {
  let rows = new Map<number, string>();
  let row = 1;
  let alternate = false;
  let cursor = true;
  let wraps = true;
  let mouse = false;
  const copied: string[] = [];
  let normal = "";
  let rest = "";
  let title: string | null = null;
  const titles: (string | null)[] = [];
  const modes = (number: string, on: boolean) => {
    if (number === "1049") alternate = on;
    if (number === "25") cursor = on;
    if (number === "7") wraps = on;
    if (number === "1000") mouse = on;
  };
  return {
    take(chunk: string) {
      rest += chunk;
      for (let part = PART.exec(rest); part !== null; part = PART.exec(rest)) {
        const [all, numbers = "", letter, code, said = ""] = part;
        rest = rest.slice(all.length);
        if (code === "52;c") copied.push(Buffer.from(said, "base64").toString("utf8"));
        else if (code === "2") title = said;
        else if (letter === "t" && numbers === "22;2") titles.push(title);
        else if (letter === "t" && numbers === "23;2") title = titles.pop() ?? null;
        else if (letter === "H") row = Number(numbers.split(";")[0]);
        else if (letter === "J") rows = new Map();
        else if (letter === "K" && alternate) rows.set(row, "");
        else if (letter === "h" || letter === "l") modes(numbers.slice(1), letter === "h");
        else if (letter === undefined && alternate) rows.set(row, (rows.get(row) ?? "") + all);
        else if (letter === undefined) normal += all;
      }
    },
    lines: () => Array.from({ length: Math.max(0, ...rows.keys()) }, (_, index) => rows.get(index + 1) ?? ""),
    title: () => title,
    modes: () => ({ alternate, cursor, wraps }),
    mouse: () => mouse,
    clipboard: () => copied,
    normal: () => normal,
  };
}

/** Interprets a program with a footer: it moves up over its own lines, clears them and writes on. */
function durableLines(raw: string): string[] {
  const lines = [""];
  let row = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's language
  for (const [part] of raw.matchAll(/\u001b\[[?0-9;]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\r|\n|[^\u001b\r\n]+/g)) {
    if (part === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (part === "\u001b[J") lines.fill("", row);
    else if (part === "\u001b[1A") row -= 1;
    else if (part !== "\r" && (!part.startsWith("\u001b") || part.endsWith("m"))) lines[row] += part;
  }
  // Below the cursor is only the room of a former footer of several lines.
  while (lines.length > row + 1 && lines.at(-1) === "") lines.pop();
  return lines;
}
