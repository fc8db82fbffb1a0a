/**
 * What a run does after a call that ended so, from the agent's output to the next decision. Each row has its source: a public
 * thread of the agent's own project or of a program that runs it (`owner/repo#number`), or a recording.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorClass } from "../../../src/driver.ts";
import { findBuiltIn } from "../../../src/driver-host/registry.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { NOON } from "../../core/given.ts";
import { fakeWorld, type Play } from "../fake-world.ts";

type Agent = "claude-code" | "codex" | "opencode" | "copilot" | "cursor";

type Situation = {
  agent: Agent;
  /** Lines of stdout. */
  out?: readonly (object | string)[];
  err?: readonly string[];
  exit: number;
  format?: "text";
  /** The class of the error; null for an answer. */
  is: ErrorClass | null;
  /** What the run does next, if each call ends so. */
  next: string;
  source: string;
};

const ID: Readonly<Record<Agent, string>> = {
  "claude-code": "0f8e7d6c-1234-4abc-9def-001122334455",
  codex: "01a1ffe1-9ec8-7c53-8f40-1ec47b87d471",
  opencode: "ses_1",
  copilot: "4a93da16-78f1-4bbb-a005-b68a6f25a46c",
  cursor: "9d2f0a34-1234-4abc-9def-001122334455",
};

/** Runs the loop against an agent whose every call ends so, in a session that exists, for two iterations at most. */
async function happens({ agent, out = [], err = [], exit, format }: Situation): Promise<[ErrorClass | null, string]> {
  const at = new Date(NOON).toISOString();
  const driver = findBuiltIn(agent)?.driver ?? {};
  const play: Play = {
    says: out.flatMap((line) => (typeof line === "string" ? line.split("\n") : [JSON.stringify(line)])),
    ends: { outcome: exit === 0 ? "ok" : "failed", exitCode: exit, stderrTail: [...err] },
  };
  const { journal, run } = fakeWorld({
    driver,
    settings: { CLAUDE_OUTPUT_FORMAT: format ?? "json", MAX_ITERATIONS: 2, ON_USAGE_LIMIT: "stop" },
    earlier: { session: { session_id: ID[agent], driver: agent, created_at: at, last_used: at } },
    plays: [play, play, play],
  });
  const end = await run(loop);
  const [first] = journal.flatMap((event) => (event.type === "agent_finished" ? [event] : []));
  const [one, two] = journal.flatMap((event) => (event.type === "iteration_started" ? [event] : []));
  const is = first?.error?.class ?? null;
  if (one?.resume !== ID[agent]) return [is, "did not resume"];
  if (first?.ok === true) return [is, "answered"];
  if (two === undefined) return [is, `ends: ${end.stop_reason}`];
  if (two.number === one.number) return [is, two.resume === null ? "again at once, anew" : "again at once"];
  const how = two.resume === null ? "fails, then anew" : "fails, then again";
  return [is, end.stop_reason === "max_iterations" ? how : `${how}, ends: ${end.stop_reason}`];
}

/** A recorded output, as its lines. */
const recorded = (file: string) =>
  readFileSync(join(import.meta.dirname, "../../fixtures/agent-output", file), "utf8").trimEnd();
const recordedStderr = (file: string): string[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/agent-output", file), "utf8"))
    .stderr.trimEnd()
    .split("\n")
    .slice(-20);

const INIT = { type: "system", subtype: "init", session_id: ID["claude-code"], model: "m" };
const claude = (more: object) => ({ type: "result", subtype: "success", session_id: ID["claude-code"], ...more });
const claudeFails = (result: string, more: object = {}) => [INIT, claude({ is_error: true, result, ...more })];
const claudeSays = (text: string, more: object = {}, outer: object = {}) => ({
  type: "assistant",
  message: { id: "m", model: "m", content: [{ type: "text", text }], stop_reason: null, ...more },
  session_id: ID["claude-code"],
  ...outer,
});
const codexFails = (message: string) => [
  { type: "thread.started", thread_id: ID.codex },
  { type: "error", message },
  { type: "turn.failed", error: { message } },
];
const opencodeFails = (name: string, data: object) => [
  { type: "error", timestamp: 1, sessionID: ID.opencode, error: { name, data } },
];
const copilotFails = (data: object) => [
  { type: "session.error", data },
  { type: "result", sessionId: ID.copilot, exitCode: 1, usage: {} },
];
const BLOCK = "---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---";
const OAUTH =
  'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired. Please obtain a new token or refresh your existing token."},"request_id":"req_011CUf"} · Please run /login';
const CREDIT =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}';
const LOGGED =
  'timestamp=2026-11-21T20:49:08.874Z level=ERROR run=1 message=failed ref=err_d1a34a9a error="ProviderModelNotFoundError: Model not found: mock/none." cause="x"';
const SPARK =
  '{"type":"error","status":400,"error":{"type":"invalid_request_error","message":"The \'gpt-5.3-codex\' model is not supported when using Codex with a ChatGPT account."}}';

const LOGIN: readonly Situation[] = [
  {
    agent: "claude-code",
    out: claudeFails(
      "Your ANTHROPIC_API_KEY belongs to a disabled organization · Unset the environment variable to use your other credentials",
    ),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "the CLI's page of errors",
  },
  {
    agent: "claude-code",
    out: claudeFails(OAUTH),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "anthropics/claude-code#10712",
  },
  {
    agent: "claude-code",
    format: "text",
    out: [OAUTH],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "anthropics/claude-code#33811",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Invalid API key · Please run /login"],
    exit: 0,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: claude/auth-failure.text, with the exit code of anthropics/claude-code#39044",
  },
  {
    agent: "claude-code",
    out: [recorded("claude/auth-failure.stream.jsonl")],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: claude/auth-failure.stream",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      'Failed to authenticate. API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"Invalid authentication credentials"}}',
    ),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "paperclipai/paperclip#139, anthropics/claude-code#44930",
  },
  {
    agent: "claude-code",
    err: ["Error: Failed to authenticate: OAuth session expired and could not be refreshed"],
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "griffinmartin/opencode-claude-auth#281",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      "Your organization has disabled Claude subscription access for Claude Code · Use an Anthropic API key instead, or ask your admin to enable access",
    ),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "anthropics/claude-code#65044",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}',
      { api_error_status: 400 },
    ),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "anthropics/claude-code#19028",
  },
  {
    agent: "codex",
    out: codexFails(
      "Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again.",
    ),
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "openai/codex#9634; opening it again helped in openai/codex#6498",
  },
  {
    agent: "codex",
    out: [recorded("codex/auth-failure.json.jsonl")],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: codex/auth-failure",
  },
  {
    agent: "codex",
    format: "text",
    err: recordedStderr("codex/auth-failure.text.meta.json"),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: codex/auth-failure.text",
  },
  {
    agent: "opencode",
    out: opencodeFails("UnknownError", { message: "Token refresh failed: 401" }),
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "anomalyco/opencode#10909",
  },
  {
    agent: "opencode",
    out: opencodeFails("UnknownError", {
      message:
        'Token refresh failed: 400 — {"error": "invalid_grant", "error_description": "Refresh token not found or invalid"}',
    }),
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "ex-machina-co/opencode-anthropic-auth#162",
  },
  {
    agent: "opencode",
    out: [recorded("opencode/auth-failure.json.jsonl")],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: opencode/auth-failure",
  },
  {
    agent: "copilot",
    err: recordedStderr("copilot/no-auth.json.meta.json"),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "recorded: copilot/no-auth",
  },
  {
    agent: "copilot",
    err: [
      "Error: Failed to load models: access denied by Copilot policy. (Request ID: DD28:396A99:1D5848:6BFB96:69F85427)",
    ],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "github/copilot-cli#3101",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message: "403 Forbidden: unauthorized: not authorized to use this Copilot feature",
      statusCode: 403,
    }),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "github/copilot-cli#539",
  },
  {
    agent: "cursor",
    err: [
      "Error: Authentication required. Please run 'cursor-agent login' first, or set CURSOR_API_KEY environment variable.",
    ],
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "written from public descriptions: cursor/auth-failure",
  },
  {
    agent: "cursor",
    format: "text",
    err: ["ConnectError: [unauthenticated] Error"],
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "xllm-go/bypass#153; codes of the Connect protocol",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "API key not valid. Please pass a valid API key.",
      statusCode: 400,
    }),
    exit: 1,
    is: "auth",
    next: "ends: authentication",
    source: "can1357/oh-my-pi#449: the provider's words and status",
  },
];

const MONEY: readonly Situation[] = [
  {
    agent: "claude-code",
    out: claudeFails(CREDIT, { api_error_status: 400 }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "anthropics/claude-code#54566",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Credit balance is too low"],
    exit: 0,
    is: "billing",
    next: "ends: unpaid",
    source: "anthropics/claude-code#55469, with the exit code of #39044",
  },
  {
    agent: "claude-code",
    out: claudeFails("Credit balance too low · Add funds: https://console.anthropic.com/settings/billing"),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "anthropics/claude-code#867",
  },
  {
    agent: "codex",
    out: codexFails("Quota exceeded. Check your plan and billing details."),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "openai/codex#17042, vm0-ai/vm0#22474",
  },
  {
    agent: "codex",
    format: "text",
    err: ["user", "fix the rate limit of the API", "ERROR: Quota exceeded. Check your plan and billing details."],
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "openai/codex#8987",
  },
  {
    agent: "codex",
    out: codexFails(
      "stream disconnected before completion: You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
    ),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "just-every/code#42",
  },
  {
    agent: "codex",
    out: codexFails("To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing."),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "openai/codex#2004",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "No payment method. Add a payment method here: https://opencode.ai/workspace/w/billing",
      statusCode: 401,
    }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "anomalyco/opencode#37161",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", { message: "Insufficient Balance", statusCode: 402 }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "anomalyco/opencode#27593",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "You exceeded your current quota, please check your plan and billing details.",
      statusCode: 429,
    }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "openai/codex#2004: the provider's words, with its status for them",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys",
      statusCode: 403,
    }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "danielsmithdevelopment/ClawQL#876",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "Budget has been exceeded! Team=RP32A1 Current cost: 3000.175718584994, Max budget: 3000.0",
      statusCode: 400,
    }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "continuedev/continue#11616",
  },
  {
    agent: "copilot",
    format: "text",
    err: ["✗ 402 You have no quota (Request ID: 0DAE:25E807:31A9BC6:3EB561C:69B79179)"],
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "github/copilot-cli#2063",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message: '402 {"error":{"message":"You have no quota","code":"quota_exceeded"}}',
    }),
    exit: 1,
    is: "billing",
    next: "ends: unpaid",
    source: "github/copilot-cli#3431",
  },
];

const QUOTA: readonly Situation[] = [
  {
    agent: "copilot",
    format: "text",
    err: ["Sorry, you've exceeded your 5 hour session limits. Please retry after 2733 seconds."],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "microsoft/vscode#325598",
  },
  {
    agent: "claude-code",
    out: [recorded("claude/subscription-usage-limit.stream.jsonl")],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "recorded: claude/subscription-usage-limit",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Limit reached · resets 5pm (Etc/Unknown) · /upgrade to Max or turn on /extra-usage"],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "anthropics/claude-code#14495",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Claude AI usage limit reached|1749924000"],
    exit: 0,
    is: "limit",
    next: "ends: usage_limit",
    source: "anthropics/claude-code#2087",
  },
  // What Codex says to a workspace without credits whose hours or week are used up.
  {
    agent: "codex",
    out: codexFails("Your workspace is out of credits. Ask your workspace owner to refill in order to continue."),
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "pingdotgg/t3code#10472, openai/codex#27598",
  },
  {
    agent: "codex",
    out: codexFails(
      "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at Apr 28th, 2026 4:13 PM.",
    ),
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "openai/codex#19830",
  },
  {
    agent: "codex",
    out: codexFails(
      "You've hit your usage limit. Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), or try again at Jul 5th, 2026 8:19 PM.",
    ),
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "openai/codex#26668",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message:
        '{"message":"Sorry, you have exceeded your Copilot token usage. Please review our Terms of Service.","code":"rate_limited"}',
    }),
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "github/copilot-cli#793",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      "API Error: 400 You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
      { api_error_status: 400 },
    ),
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "the provider's words and status, as Claude Code 2.1.332 prints them",
  },
  {
    agent: "copilot",
    out: [
      { type: "session.error", data: { errorType: "rate_limit", message: "429 Too Many Requests", statusCode: 429 } },
      { type: "result", sessionId: ID.copilot, exitCode: 0, usage: {} },
    ],
    exit: 0,
    is: "limit",
    next: "ends: usage_limit",
    source: "recorded: copilot/rate-limit, with exit code 0",
  },
  {
    agent: "copilot",
    format: "text",
    err: [
      "✗ Sorry, you have been rate-limited. Please wait 2 minutes before trying again or consider switching to Auto.",
    ],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "github/copilot-cli#2740",
  },
  {
    agent: "cursor",
    err: [
      "Error: You've hit your usage limit",
      "Get Cursor Pro for more Agent usage, unlimited Tab, and more.",
      "chatMessage: *You've hit your free requests limit. Your usage limits will reset when your monthly cycle ends on 11/17/2026.*",
    ],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "cursor/cursor#3703",
  },
  {
    agent: "cursor",
    err: ["ConnectError: [resource_exhausted] Error"],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "can1357/oh-my-pi#8845",
  },
];

const MODEL: readonly Situation[] = [
  {
    agent: "claude-code",
    out: claudeFails("Claude Opus is not available with the Claude Pro plan · Select a different model in /model"),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "the CLI's page of errors",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      "There's an issue with the selected model (claude-x). It may not exist or you may not have access to it.",
      { api_error_status: 404 },
    ),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "the CLI's own text (2.1.197)",
  },
  {
    agent: "claude-code",
    out: claudeFails('API Error: 404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}', {
      api_error_status: 404,
    }),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "errors of the Messages API",
  },
  {
    agent: "codex",
    out: codexFails(SPARK),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "openai/codex#25838",
  },
  {
    agent: "codex",
    out: codexFails(
      `unexpected status 400 Bad Request: {"detail":"The 'gpt-5.1-codex' model is not supported when using Codex with a ChatGPT account."}`,
    ),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "openai/codex#6603",
  },
  {
    agent: "opencode",
    out: [recorded("opencode/unknown-model.json.jsonl")],
    err: [LOGGED],
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "recorded: opencode/unknown-model, and the line of its log",
  },
  {
    agent: "copilot",
    err: ['✗ Model "claude-sonnet-4.5" is not available. It may be disabled by your organization\'s policy.'],
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "github/copilot-cli#461",
  },
  {
    agent: "copilot",
    err: ["Execution failed: No model available. Check policy enablement under GitHub Settings > Copilot"],
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "github/copilot-cli#635",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message:
        'Model call failed: {"message":"The requested model is not supported.","code":"model_not_supported","param":"model","type":"invalid_request_error"}',
    }),
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "github/copilot-cli#400",
  },
  {
    agent: "cursor",
    err: ["Cannot use this model: claude-sonnet-4-5-20250929. Available models: auto, composer-2-fast, composer-2"],
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "anyrobert/cursor-api-proxy#20",
  },
  {
    agent: "cursor",
    out: [recorded("cursor/bare-error-line.stream.jsonl")],
    exit: 1,
    is: "model",
    next: "ends: model_unavailable",
    source: "written from public descriptions: cursor/bare-error-line",
  },
];

const CONVERSATION: readonly Situation[] = [
  {
    agent: "claude-code",
    out: claudeFails(
      "API Error: Usage credits required for 1M context · run /usage-credits to turn them on, or /model to switch to standard context",
      { api_error_status: 429 },
    ),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "anthropics/claude-code#65082, with the status of #61808",
  },
  {
    agent: "opencode",
    out: opencodeFails("APIError", {
      message: "Extra usage is required for long context requests.",
      statusCode: 429,
    }),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "router-for-me/CLIProxyAPI#2012: the provider's words, with the status of anthropics/claude-code#61808",
  },
  {
    agent: "claude-code",
    out: [
      INIT,
      claudeSays("Prompt is too long", { model: "<synthetic>" }),
      claude({ is_error: false, result: "Prompt is too long" }),
    ],
    exit: 0,
    is: "context",
    next: "again at once, anew",
    source: "nanocoai/nanoclaw#315",
  },
  {
    agent: "claude-code",
    out: claudeFails("Prompt is too long"),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "moazbuilds/claudeclaw#7",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Prompt is too long"],
    exit: 0,
    is: "context",
    next: "again at once, anew",
    source: "thedotmack/claude-mem#870",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      'API Error: 413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    ),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "anthropics/claude-code#8092",
  },
  {
    agent: "claude-code",
    out: claudeFails("Request too large (max 32MB). Double press esc to go back and try with a smaller file."),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "anthropics/claude-code#74048",
  },
  {
    agent: "claude-code",
    err: ["No conversation found with session ID: 2552911e-0ebd-4e18-8e75-dd83823339c2"],
    exit: 1,
    is: "session",
    next: "again at once, anew",
    source: "recorded: claude/resume-other-folder; RichardAtCT/claude-code-telegram#94",
  },
  {
    agent: "claude-code",
    format: "text",
    err: ["No conversation found with session ID: 2552911e-0ebd-4e18-8e75-dd83823339c2"],
    exit: 0,
    is: "session",
    next: "again at once, anew",
    source: "recorded words, exit code 0",
  },
  {
    agent: "claude-code",
    out: claudeFails(
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.37: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_019hT8."}}',
      { api_error_status: 400 },
    ),
    exit: 1,
    is: "request",
    next: "fails, then anew",
    source: "anthropics/claude-code#9346",
  },
  {
    agent: "codex",
    out: codexFails(
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    ),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "openai/codex#12790",
  },
  {
    agent: "codex",
    out: codexFails(
      "stream disconnected before completion: Your input exceeds the context window of this model. Please adjust your input and try again.",
    ),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "openai/codex#2921",
  },
  {
    agent: "codex",
    out: codexFails(
      'Error running remote compact task: {"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}',
    ),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "openai/codex#19269",
  },
  {
    agent: "codex",
    out: [
      { type: "thread.started", thread_id: ID.codex },
      { type: "turn.started" },
      { type: "turn.completed", usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 } },
    ],
    exit: 0,
    is: "context",
    next: "again at once, anew",
    source: "openai/codex#25619: a conversation that cannot be compacted; first-tree-ai/first-tree#971",
  },
  {
    agent: "codex",
    err: recordedStderr("codex/resume-unknown.json.meta.json"),
    exit: 1,
    is: "session",
    next: "again at once, anew",
    source: "recorded: codex/resume-unknown",
  },
  {
    agent: "opencode",
    err: recordedStderr("opencode/resume-unknown.json.meta.json"),
    exit: 1,
    is: "session",
    next: "again at once, anew",
    source: "recorded: opencode/resume-unknown",
  },
  {
    agent: "opencode",
    err: ["Error: Session not found"],
    exit: 0,
    is: "session",
    next: "again at once, anew",
    source: "recorded words, exit code 0",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message:
        "The request is too large to send through CAPI Responses. Try shortening the conversation or prompt. (5.0 MB request; 5.0 MB limit)",
    }),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "github/copilot-cli#4424",
  },
  {
    agent: "copilot",
    out: copilotFails({
      errorType: "query",
      message:
        '400 {"error":{"message":"prompt token count of 138898 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
      statusCode: 400,
    }),
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "microsoft/copilot-intellij-feedback#94",
  },
  {
    agent: "copilot",
    err: ["Failed to resume session: Error: Session file is corrupted (line 7103: SyntaxError: Unexpected token)"],
    exit: 1,
    is: "session",
    next: "again at once, anew",
    source: "github/copilot-cli#1864",
  },
];

const SETTINGS: readonly Situation[] = [
  {
    agent: "codex",
    err: ["Error loading config.toml: invalid type: integer `3`, expected a string", "in `model`"],
    exit: 1,
    is: "config",
    next: "ends: agent_unusable",
    source: "recorded: Codex 0.169.0 with such a file",
  },
  {
    agent: "codex",
    err: ["Error: Model provider `nope` not found", "", "Stack backtrace:", "   0: <unknown>"],
    exit: 1,
    is: "config",
    next: "ends: agent_unusable",
    source: "recorded: Codex 0.169.0 with such a setting",
  },
  {
    agent: "codex",
    err: [
      "error: invalid value 'bogus' for '--sandbox <SANDBOX_MODE>'",
      "  [possible values: read-only, workspace-write]",
    ],
    exit: 2,
    is: "config",
    next: "ends: agent_unusable",
    source: "recorded: Codex 0.169.0 with such a flag",
  },
  {
    agent: "opencode",
    err: ["ERROR", '  Invalid value for flag --log-level: "ERROR". Expected: "all" | "trace"'],
    exit: 1,
    is: "config",
    next: "ends: agent_unusable",
    source: "nexu-io/open-design#8312: OpenCode 2 refuses flags of 1; the words of its library for command lines",
  },
];

const OUTAGE: readonly Situation[] = [
  {
    agent: "claude-code",
    out: [recorded("claude/overloaded.stream.jsonl")],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "recorded: claude/overloaded",
  },
  {
    agent: "claude-code",
    err: ["Error: the gateway said no (HTTP 503)"],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "codex",
    err: ["Error: app-server: no such thread state (code -32603)"],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "JSON-RPC 2.0, section 5.1",
  },
  {
    agent: "codex",
    err: ["Error: turn/begin refused (code -32600)"],
    exit: 1,
    is: "request",
    next: "fails, then anew",
    source: "JSON-RPC 2.0, section 5.1",
  },
  {
    agent: "opencode",
    err: ["Error: upstream answered with HTTP 402"],
    exit: 1,
    is: "billing",
    next: "fails, then again, ends: unpaid",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "opencode",
    err: ["Error: upstream answered with status 404"],
    exit: 1,
    is: "request",
    next: "fails, then anew",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "cursor",
    err: ["Error: proxy said 403 Nothing for you"],
    exit: 1,
    is: "auth",
    next: "fails, then again, ends: authentication",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "cursor",
    err: ["Error: request of 41 MB refused: HTTP 413"],
    exit: 1,
    is: "context",
    next: "again at once, anew",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "cursor",
    err: ["Error: slow down, status: 429"],
    exit: 1,
    is: "limit",
    next: "ends: usage_limit",
    source: "no recording: the class of a number in unknown words",
  },
  {
    agent: "cursor",
    err: ["ConnectError: [unavailable] Error"],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "codes of the Connect protocol",
  },
  {
    agent: "claude-code",
    err: ["getaddrinfo EAI_AGAIN api.anthropic.com"],
    exit: 1,
    is: "offline",
    next: "fails, then again",
    source: "recorded words of Node.js",
  },
];

const ANSWERS: readonly Situation[] = [
  {
    agent: "claude-code",
    out: [INIT, claudeSays(`On it.\n${BLOCK}`)],
    exit: 0,
    is: null,
    next: "answered",
    source: "anthropics/claude-code#8126: the result event is missing",
  },
  {
    agent: "claude-code",
    out: [INIT, claudeSays(BLOCK, { stop_reason: "end_turn" })],
    exit: 0,
    is: null,
    next: "answered",
    source: "paradigmxyz/centaur#903",
  },
  {
    agent: "claude-code",
    out: [INIT, claudeSays(BLOCK), claude({ is_error: false, result: "", stop_reason: "end_turn" })],
    exit: 0,
    is: null,
    next: "answered",
    source: "anthropics/claude-code#38706",
  },
  {
    agent: "claude-code",
    out: [
      INIT,
      claudeSays("Users see: Prompt is too long"),
      claude({ is_error: false, result: "Users see: Prompt is too long" }),
    ],
    exit: 0,
    is: null,
    next: "answered",
    source: "the agent's own words",
  },
  {
    agent: "claude-code",
    out: [INIT, claudeSays("Prompt is too long"), claude({ is_error: false, result: "Prompt is too long" })],
    exit: 0,
    is: null,
    next: "answered",
    source: "the agent's own words",
  },
  {
    agent: "claude-code",
    format: "text",
    out: [
      "The page now says when the usage limit is reached,",
      "and names HTTP 401 and 402 for a missing login and an unpaid bill.",
    ],
    exit: 0,
    is: null,
    next: "answered",
    source: "the agent's own words",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Handled rate limits, HTTP 429 and an invalid API key.", BLOCK],
    err: [],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "the agent's own words before a crash",
  },
  {
    agent: "claude-code",
    format: "text",
    out: ["Now the tests of the limiter.", "It waits until the rate limit resets at 3pm."],
    exit: 1,
    is: "infrastructure",
    next: "fails, then again",
    source: "the agent's own words before a crash",
  },
  {
    agent: "codex",
    format: "text",
    out: ["Not all: session not found is still open.", BLOCK],
    err: ["thread 'main' panicked at src/main.rs:1"],
    exit: 101,
    is: "infrastructure",
    next: "fails, then again",
    source: "the agent's own words before a crash",
  },
  {
    agent: "copilot",
    format: "text",
    out: ["Documented what to do when Copilot says that you have no quota."],
    exit: 0,
    is: null,
    next: "answered",
    source: "the agent's own words",
  },
];

describe.each([
  ["a missing login", LOGIN],
  ["money", MONEY],
  ["a spent quota", QUOTA],
  ["the model", MODEL],
  ["a lost or overlong conversation", CONVERSATION],
  ["a setting that is refused", SETTINGS],
  ["an outage, or a number in unknown words", OUTAGE],
  ["an answer", ANSWERS],
] as const)("a call that tells of %s", (_, situations) => {
  const named = situations.map(
    (one) =>
      [`${one.agent}${one.format === undefined ? "" : " as text"}, exit ${one.exit}: ${one.source}`, one] as const,
  );
  test.each(named)("%s", async (_name, situation) => {
    expect(await happens(situation)).toEqual([situation.is, situation.next]);
  });
});
