import { finalText } from "../../core/answer/collected-output.ts";
import { reachedBound } from "../../core/stop/bounds.ts";
import type { Agent } from "../agent.ts";
import { type CallResult, callAgent } from "../call.ts";
import { composeRequest, requestBase } from "../compose-request.ts";
import type { Run } from "../run.ts";

/** The prompt about a document, and how to read and check the answers. */
export type ImportDialogue<A> = {
  /** Name of the document, for the journal. */
  document: string;
  prompt: string;
  /** Reads the whole text of a call. */
  readAnswer(text: string): A;
  /** The omissions of an answer, with a prompt that asks for them; null if it is complete. */
  findGaps(answer: A): { missing: string[]; prompt: string } | null;
  merge(first: A, second: A): A;
};

/** The answer, and the one or two calls that produced it. */
export type ImportedDocument<A> = { answer: A; calls: [CallResult] | [CallResult, CallResult] };

/**
 * Has an agent convert a document, with tools that cannot write. Asks once more for omissions, in the same session if
 * the agent has sessions, unless a bound of the user is reached. Writes nothing.
 */
export async function importDocument<A>(
  run: Run,
  agent: Agent,
  { document, prompt, ...dialogue }: ImportDialogue<A>,
): Promise<ImportedDocument<A>> {
  const textOf = collectText(run);
  const first = await ask(run, agent, { call: 1, document, missing: [], prompt, resume: null });
  const answer = dialogue.readAnswer(textOf(1, first));
  const { state, now } = run.present();
  const mayAsk = !run.stops.killSignal.aborted && reachedBound(state, run.settings, now) === null;
  const gaps = first.ok && mayAsk ? dialogue.findGaps(answer) : null;
  if (gaps === null) return { answer, calls: [first] };

  const resume = agent.driver.supportsSessions === false ? null : first.sessionId;
  const second = await ask(run, agent, {
    call: 2,
    document,
    missing: gaps.missing,
    prompt: resume === null ? `${prompt}\n${gaps.prompt}` : gaps.prompt,
    resume,
  });
  return { answer: dialogue.merge(answer, dialogue.readAnswer(textOf(2, second))), calls: [first, second] };
}

type Question = { call: number; document: string; missing: string[]; prompt: string; resume: string | null };

async function ask(run: Run, agent: Agent, { call, document, missing, prompt, resume }: Question): Promise<CallResult> {
  const request = composeRequest({ ...requestBase(run, agent), prompt, resume, readOnly: true });
  run.append({ type: "import_started", call, document, missing });
  const purpose = call === 1 ? "import" : "repair";
  return callAgent(run, agent, { purpose, iteration: 0, call, request });
}

/**
 * Collects the agent's text. A long answer comes in several blocks, and the final event may repeat only the last one.
 * @returns a function for the whole text of a call
 */
function collectText({ subscribe }: Run): (call: number, result: CallResult) => string {
  const blocks: { call: number; text: string }[] = [];
  subscribe({
    name: "the import",
    onEvents(steps) {
      for (const { event } of steps) if (event.type === "agent_text" && event.nested !== true) blocks.push(event);
    },
  });
  return (call, { output }) => {
    const said = blocks.flatMap((block) => (block.call === call ? block.text : [])).join("\n");
    const last = finalText(output);
    return said.includes(last) ? said : `${said}\n${last}`;
  };
}
