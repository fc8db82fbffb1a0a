/** Answers that are worked out by a process of their own, and told by it on its stdout: a line of JSON, then what is sent. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import type { UiAnswer } from "./server.ts";

/** Each of them needs as much memory as the server and a journal. */
const MOST_AT_ONCE = 2;
const LOOK_MS = 200;
const NEWLINE = 0x0a;

/** What a page asks. @param control whether its visitor may change something */
export type Question = { path: string; query: [name: string, value: string][]; control: boolean };

/** @throws RalphError for what the page shows as an error */
export type Ask = (question: Question, isGone: () => boolean) => Promise<UiAnswer>;

/** The first line of what the process tells. */
export type AnswerHead =
  | { type: "html" | "json"; headers?: Record<string, string> }
  | { error: string; hint: string | null };

/**
 * Starts a process for each question, few at a time.
 * @param argv the command that answers the question on its stdin
 * @param cwd the folder to start one in, asked each time
 */
export function createApart(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
): Ask {
  const waiting: (() => void)[] = [];
  let free = MOST_AT_ONCE;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (question, isGone) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    if (!isGone()) return ask(argv, { env, cwd: cwd() }, { question, isGone, leave });
    leave();
    return { json: null };
  };
}

type Asked = { question: Question; isGone: () => boolean; leave: () => void };

async function ask(
  [program = "", ...words]: readonly string[],
  place: { env: Readonly<Record<string, string | undefined>>; cwd: string },
  { question, isGone, leave }: Asked,
): Promise<UiAnswer> {
  const child = spawn(program, words, { ...place, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
  const ended = new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
  void ended.then(leave);
  endsWithUs(child, ended);
  // Whoever left does not wait for the end of a long search.
  const looking = setInterval(() => isGone() && child.kill(), LOOK_MS);
  void ended.then(() => clearInterval(looking));
  child.stdin.on("error", () => {}); // it ended before it was asked, which its exit code tells
  child.stdin.end(JSON.stringify(question));
  const parts: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (!start.includes(NEWLINE)) {
    const part = await parts.next();
    if (part.done) throw new RalphError("environment", "The answer could not be worked out.");
    start = Buffer.concat([start, part.value]);
  }
  const end = start.indexOf(NEWLINE);
  const head: AnswerHead = JSON.parse(start.toString("utf8", 0, end));
  if ("error" in head) throw new RalphError("environment", head.error, head.hint === null ? {} : { hint: head.hint });
  return { ...head, pieces: rest(start.subarray(end + 1)) };

  async function* rest(first: Buffer): AsyncGenerator<Buffer> {
    try {
      yield first;
      for (let part = await parts.next(); !part.done; part = await parts.next()) yield part.value;
      if (!(await ended)) throw new RalphError("environment", "The answer broke off.");
    } finally {
      child.kill();
    }
  }
}

/** A server that ends waits for no answer, and nobody gets it any more. */
function endsWithUs(child: ChildProcess, ended: Promise<unknown>): void {
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  void ended.then(() => process.off("exit", end));
}
