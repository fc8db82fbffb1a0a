import { shownDenials } from "../answer/denial.ts";
import { type CompletionSettings, gatesBlock, policyObjections } from "../decide/completion.ts";
import { describeGateExit, type GateRecord } from "../decide/gate-rules.ts";
import type { ReviewFindings } from "../decide/review-state.ts";
import { wasCutShort } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { isParked, takeableTasks } from "../needs/questions.ts";
import type { ParsedPlan } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import { bullets } from "./bullets.ts";
import { NOTES_MAX_CHARS } from "./compose-prompt.ts";
import { cutOffNote } from "./cut-off-note.ts";
import { gapNote } from "./gap-note.ts";
import { handOverNote } from "./hand-over.ts";
import { standstillNote } from "./standstill-note.ts";
import { takenOffNote } from "./taken-off-note.ts";
import { weakenedGatesNote } from "./weakened-gates-note.ts";

/** Each note's share of the common room, to keep all of them; gates get the rest. */
const MESSAGES_CHARS = 2000;
const CLAIM_CHARS = 850;
const FINDINGS_CHARS = 600;
const ADVICE_CHARS = 250;
const HAND_OVER_CHARS = 700;
const STANDSTILL_CHARS = 850;
const GATES_CHARS = 1500;
const WEAKENED_CHARS = 1200;
const GAP_NOTE_CHARS = 1200;
const PARKED_CHARS = 700;
const TAKEN_OFF_CHARS = 900;
const COMMIT_CHARS = 800;
/** Between two notes. */
const GAP_CHARS = 2;

const MOST_BOXES = 8;
const BOX_CHARS = 90;
const COMMAND_CHARS = 120;
const MOST_DETAILS = 5;
const MOST_PARKED = 5;

/**
 * The notes after the prompt, most urgent first; empty if there are none (product.md "What the agent is told").
 * @param plan in its current state
 */
export function composeNotes(state: State, settings: Settings, plan: ParsedPlan | null): string[] {
  const messages = truncate(userMessagesNote(state.said), MESSAGES_CHARS);
  const claim = truncate(rejectedClaimNote(state, settings, plan), CLAIM_CHARS);
  const findings = truncate(findingsNote(state.review.findings), FINDINGS_CHARS);
  const advice = truncate(timeoutAdvice(state) || compoundAdvice(state), ADVICE_CHARS);
  const handOver = truncate(handOverNote(state), HAND_OVER_CHARS);
  const weakened = gatesBlock(settings) ? truncate(weakenedGatesNote(state), WEAKENED_CHARS) : "";
  const gaps = gapNote(state.gates, GAP_NOTE_CHARS);
  // After a rejected claim its own note says what is open.
  const standstill = claim === "" ? truncate(standstillNote(state, settings, plan), STANDSTILL_CHARS) : "";
  const parked = truncate(parkedNote(state, plan), PARKED_CHARS);
  const commit = truncate(refusedCommitNote(state), COMMIT_CHARS);
  const takenOff = truncate(takenOffNote(state, plan), TAKEN_OFF_CHARS);
  const before = [messages, parked, cutOffNote(state), handOver, standstill, claim, takenOff, weakened, gaps];
  const after = [commit, findings, advice];
  const taken = [...before, ...after].reduce((sum, note) => sum + note.length + GAP_CHARS, 0);
  const gates = failedGatesNote(state.gates, Math.min(GATES_CHARS, NOTES_MAX_CHARS - taken));
  return [...before, gates, ...after].filter((note) => note !== "");
}

function userMessagesNote(messages: State["said"]): string {
  if (messages.length === 0) return "";
  return `The user of ralph says:\n${messages.map(({ text }) => text.trim()).join("\n\n")}`;
}

/** The tasks that wait for a person, which the agent is to leave alone, and the one to take. */
function parkedNote({ inbox, settings }: State, plan: ParsedPlan | null): string {
  const aside = inbox.open.filter((question) => isParked(question, settings));
  const [next] = takeableTasks(plan?.tasks ?? [], { inbox, settings });
  if (aside.length === 0 || next === undefined) return "";
  const tasks = aside.flatMap(({ task }) => (task === null ? [] : [truncate(singleLine(task), BOX_CHARS)]));
  return `A person has been asked about these tasks and has not answered yet. Leave them, and their boxes, as they are:\n${bullets(tasks, MOST_PARKED).join("\n")}\nTake this one instead: ${truncate(singleLine(next.text), BOX_CHARS)}`;
}

/** A hook of the project may want something else of the files. */
function refusedCommitNote({ publish }: State): string {
  const { commit } = publish.failed;
  return commit === undefined
    ? ""
    : `ralph commits your work after each iteration, but the last time that failed. If the files are the reason, mend them:\n    ${commit.text}`;
}

/** Why a claim of "done" was rejected, and what is missing for it. */
function rejectedClaimNote(
  { last, gates, held }: State,
  settings: CompletionSettings,
  plan: ParsedPlan | null,
): string {
  if (last === null || last.outcome === "failed" || !last.analysis.has_completion_signal) return "";
  const redTests = last.analysis.tests_status === "FAILING";
  const missing = policyObjections({ plan: plan?.counts ?? null, gates, redTests }, settings);
  if (missing.length === 0) return "";
  const boxes = settings.DONE_POLICY === "evidence" ? openBoxes(plan) : [];
  const last_warning =
    settings.DONE_POLICY === "evidence" && held.disputed === 2
      ? "\nOne more such claim without work before it, and the run stops for a person to look."
      : "";
  const list = missing.flatMap((one, index) => [`- ${one}`, ...(index === 0 ? boxes : [])]);
  return `Your last answer said that the work is done, but that was not accepted:\n${list.join("\n")}\nDeal with this before you say done again.${last_warning}`;
}

function openBoxes(plan: ParsedPlan | null): string[] {
  const open = (plan?.tasks ?? []).filter((task) => !task.optional);
  const named = open.map((task) => `line ${task.line}: ${truncate(singleLine(task.text), BOX_CHARS)}`);
  return bullets(named, MOST_BOXES).map((line) => `  ${line}`);
}

function failedGatesNote(gates: readonly GateRecord[], room: number): string {
  // The others have words of their own, and no output that the agent may see.
  const red = gates.filter((gate) => !gate.ok && !gate.weakened && gate.hidden === undefined && gate.gap === undefined);
  if (red.length === 0) return "";
  const share = Math.floor((room - 60) / red.length) - COMMAND_CHARS - 60;
  const reports = red.map((gate) => {
    const head = `\`${truncate(singleLine(gate.command), COMMAND_CHARS)}\` ${describeGateExit(gate)}`;
    const named = firstLines(gate.failing ?? [], share / 2);
    const names = named === "" ? "" : ` It names:\n${indented(named)}\n `;
    const lines = lastLines(gate.tail, share - names.length);
    if (lines === "") return names === "" ? `${head}, without output.` : `${head}.${names}`;
    return `${head}.${names} The end of its output:\n${indented(lines)}`;
  });
  return truncate(`Checks that ran after your last answer are red.\n${reports.join("\n")}`, room);
}

/** As many of the lines as fit into `max` characters. */
function firstLines(lines: readonly string[], max: number): string {
  let kept = "";
  for (const line of lines) {
    const next = kept === "" ? line : `${kept}\n${line}`;
    if (next.length + 4 * next.split("\n").length > max) break;
    kept = next;
  }
  return kept;
}

/** As many of the last lines as fit into `max` characters; the end of a longer last line. */
function lastLines(output: string, max: number): string {
  if (max <= 0) return "";
  const lines = output.trimEnd().split(/\r\n|\n|\r/);
  let kept = "";
  for (const line of lines.reverse()) {
    const next = kept === "" ? line : `${line}\n${kept}`;
    // Each line is indented by four.
    if (next.length + 4 * next.split("\n").length > max) break;
    kept = next;
  }
  return kept === "" ? (lines[0] ?? "").slice(-max + 4) : kept;
}

function indented(text: string): string {
  return text
    .toWellFormed()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

function findingsNote(findings: ReviewFindings | null): string {
  if (findings === null || findings.issues_found === 0) return "";
  const grave = findings.severity === "HIGH" || findings.severity === "CRITICAL";
  const head = grave
    ? `A review of your work found grave faults (${findings.severity}). Fix them before anything else.`
    : `A review of your work found something to fix (${findings.severity}).`;
  const details = findings.details.slice(0, MOST_DETAILS).map(({ file, line, issue, suggestion }) => {
    const place = file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `;
    return `- ${place}${singleLine(issue)}${suggestion === null ? "" : ` (${singleLine(suggestion)})`}`;
  });
  return [head, singleLine(findings.summary), ...details].filter((line) => line !== "").join("\n");
}

function compoundAdvice({ last }: State): string {
  if (last?.analysis.has_compound_command_limitation !== true) return "";
  const commands = shownDenials(last.analysis.denied_commands.slice(0, 3)).join(", ");
  return `Refused only because several commands were joined in one: ${commands}. Run each part as a command of its own.`;
}

function timeoutAdvice({ last, last_call }: State): string {
  if (last_call === null || !wasCutShort(last_call.outcome) || last === null || last.evidence.progress) return "";
  return "Your last call was ended before it had written anything. Begin to write sooner: take one small task, put the first working part into files early, and read on from there.";
}
