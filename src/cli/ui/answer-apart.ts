/** What reads a whole journal is answered by a process of its own: meanwhile the server answers others, and stays small. */
import { text } from "node:stream/consumers";
import { RalphError } from "../../core/errors.ts";
import { type AnswerHead, createApart, type Question } from "../../effects/ui/apart.ts";
import type { UiRoutes } from "../../effects/ui/server.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";

const APART = new Set(["/api/search", "/api/then", "/api/report", "/api/diff", "/api/home/diff", "/api/morning/diff"]);
/** Says that this process is the one that answers. It is taken away before anything else is started. */
const MARK = "RALPH_UI_ANSWER";

/** Sends what is long to processes that the words of this one start. @returns does that for routes, and for whether their visitor may change something */
export function answeringApart(context: CommandContext<UiArgs>): (routes: UiRoutes, control: boolean) => UiRoutes {
  const ask = createApart([...context.self, ...process.argv.slice(2)], { ...context.env, [MARK]: "1" });
  return (routes, control) => ({
    ...routes,
    read: (path, query, isGone) =>
      APART.has(path) ? ask({ path, query: [...query], control }, isGone) : routes.read(path, query, isGone),
  });
}

/** Whether this process is to answer one question, on stdin. */
export function isAsked(): boolean {
  const asked = process.env[MARK] !== undefined;
  delete process.env[MARK];
  return asked;
}

/** Answers it on stdout. @returns the exit code */
export async function answerOne(
  { raw, drained }: CommandContext<UiArgs>,
  routesOf: (control: boolean) => UiRoutes,
): Promise<number> {
  const { path, query, control }: Question = JSON.parse(await text(process.stdin));
  const tell = (head: AnswerHead, body: string) => raw(`${JSON.stringify(head)}\n${body}`);
  try {
    const found = APART.has(path) ? await routesOf(control).read(path, new Map(query), () => false) : null;
    if (found === null) throw new RalphError("environment", "There is nothing here.");
    if ("json" in found) tell({ type: "json" }, JSON.stringify(found.json));
    else tell({ type: "html" }, "html" in found ? found.html : "");
    if ("pieces" in found)
      for await (const piece of found.pieces) {
        raw(String(piece));
        await drained();
      }
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    tell({ error: error.message, hint: error.hint ?? null }, "");
  }
  return 0;
}
