/** Runs a block of commands as a reader of the page would: in a shell, or on a terminal with a key for each screen. */
import { onTerminal } from "../support/pty.ts";
import type { World } from "./worlds.ts";

export type Outcome = { exit: number | null; output: string };

/** Names of keys that are more than themselves. The words are an answer where some are asked for; elsewhere Enter alone counts. */
const KEYS: Readonly<Record<string, string>> = { Enter: "\r", words: "Sign in\r", "Ctrl+C": "\u0003" };

/** @param key pressed at each new screen; null to run without a terminal */
export async function runBlock(text: string, { cwd, env }: World, key: string | null): Promise<Outcome> {
  const argv = ["-ec", text];
  if (key !== null) return pressing(KEYS[key] ?? key, argv, { cwd, env });
  const child = Bun.spawn(["sh", ...argv], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exit: await child.exited, output: `${out}${err}` };
}

async function pressing(
  key: string,
  argv: string[],
  where: { cwd: string; env: Record<string, string> },
): Promise<Outcome> {
  const screen = onTerminal(argv, { ...where, program: "sh", rows: 50 });
  const shown = () => `${screen.normal()}${screen.lines().join("\n")}`;
  let exit: number | null = null;
  let answered = "";
  const ended = screen.exited.then((code) => {
    exit = code;
  });
  while (exit === null) {
    const now = shown();
    if (now !== answered && now.trim() !== "") {
      answered = now;
      screen.type(key);
    }
    await Promise.race([ended, Bun.sleep(50)]);
  }
  return { exit, output: shown() };
}
