/** What reads a whole journal is answered by a process of its own: meanwhile the server answers others, and stays small. */
import { text } from "node:stream/consumers";
import { RalphError } from "../../core/errors.ts";
import { ownFolder } from "../../effects/process/own-folder.ts";
import { ANSWERS } from "../../effects/process/restart-lean.ts";
import { type AnswerHead, type Ask, createApart, type Question } from "../../effects/ui/apart.ts";
import type { UiRoutes } from "../../effects/ui/server.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";

/** Asks processes that the words of this one start, in its folder as long as that is there: a worktree may be removed meanwhile. */
export function askApart({ self, env }: CommandContext<UiArgs>): Ask {
  return createApart([...self, ...process.argv.slice(2)], { ...env, [ANSWERS]: "1" }, ownFolder);
}

/** Whether this process is to answer one question, on stdin. Nothing that it starts is. */
export function isAsked(): boolean {
  const asked = process.env[ANSWERS] !== undefined;
  delete process.env[ANSWERS];
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
    const found = await routesOf(control).read(path, new Map(query), () => false);
    if (found === null) throw new RalphError("environment", "There is nothing here.");
    if ("json" in found) tell({ type: "json" }, JSON.stringify(found.json));
    else tell({ type: "html", headers: found.headers ?? {} }, "html" in found ? found.html : "");
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
