#!/usr/bin/env node

// Mock model server: plays a scenario file to a REAL coding-agent CLI over loopback.
//
// One file, no dependencies, Node >= 20 or Bun. It speaks
//   POST /v1/messages                 Anthropic Messages      (SSE and plain JSON)
//   POST /v1/messages/count_tokens    Anthropic token count
//   POST /v1/responses                OpenAI Responses        (SSE and plain JSON)
//   POST /v1/chat/completions         OpenAI Chat Completions (SSE and plain JSON)
//   GET  /v1/models                   model list
// each also without the /v1 prefix. Anything else is answered 404 (HEAD and GET / are answered 200).
//
// Run:     node server.mjs --scenario scenarios/plain-text.json --cwd /path/of/the/agent --log requests.jsonl
// Prints:  {"event":"listening","port":40123,"url":"http://127.0.0.1:40123","pid":99,"scenario":"plain-text"}
// Import:  import { startMockModel } from "./server.mjs"
//
// The scenario format and how to point each CLI here: see README.md beside this file.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

// ---------------------------------------------------------------------------------------------
// Scenario
// ---------------------------------------------------------------------------------------------

const TURN_KEYS = new Set([
  "note",
  "text",
  "reasoning",
  "tools",
  "usage",
  "stopReason",
  "times",
  "error",
  "streamError",
  "delayMs",
  "chunkChars",
  "chunkMs",
  "stallAfterChars",
  "stallMs",
  "cutAfterChars",
]);

/** Checks a scenario object and fills in defaults. Throws an Error that says what is wrong. */
export function checkScenario(raw) {
  if (!raw || typeof raw !== "object") throw new Error("scenario: not a JSON object");
  if (!Array.isArray(raw.turns) || raw.turns.length === 0) throw new Error("scenario: needs a non-empty list `turns`");
  raw.turns.forEach((turn, i) => {
    for (const key of Object.keys(turn)) {
      if (!TURN_KEYS.has(key)) throw new Error(`scenario: turn ${i} has an unknown field \`${key}\``);
    }
    if (turn.error && !turn.error.status) throw new Error(`scenario: turn ${i}: error needs a status`);
    if (turn.times !== undefined && turn.times !== "always" && !(turn.times >= 1)) {
      throw new Error(`scenario: turn ${i}: times is a count >= 1 or "always"`);
    }
  });
  return { name: "unnamed", scope: "server", toolless: "side", sideText: "Mock title", after: "error", ...raw };
}

/** Which turn answers the next main request. Pure bookkeeping: one cursor, or one per session. */
class Script {
  constructor(scenario) {
    this.scenario = scenario;
    this.cursors = new Map();
  }

  next(session) {
    const key = this.scenario.scope === "session" ? (session ?? "") : "";
    const cursor = this.cursors.get(key) ?? { index: 0, used: 0 };
    this.cursors.set(key, cursor);
    const { turns, after } = this.scenario;

    const turn = turns[cursor.index];
    if (!turn) {
      if (after === "last") return { index: turns.length - 1, turn: turns[turns.length - 1] };
      const message = `mock scenario "${this.scenario.name}" has no turn left (it has ${turns.length})`;
      return { index: null, turn: { error: { status: 400, type: "invalid_request_error", message } } };
    }
    const index = cursor.index;
    cursor.used += 1;
    const times = turn.times ?? 1;
    if (times !== "always" && cursor.used >= times) {
      cursor.index += 1;
      cursor.used = 0;
    }
    return { index, turn };
  }
}

// ---------------------------------------------------------------------------------------------
// Reading requests: one neutral summary, whatever the dialect
// ---------------------------------------------------------------------------------------------

const DIALECTS = [
  { api: "anthropic-count", match: /^(\/v1)?\/messages\/count_tokens$/ },
  { api: "anthropic", match: /^(\/v1)?\/messages$/ },
  { api: "responses", match: /^(\/v1)?\/responses$/ },
  { api: "chat", match: /^(\/v1)?\/chat\/completions$/ },
];

/** Every tool the request declares, as {name, kind, schema}; Codex also nests them in namespaces and in input items. */
function declaredTools(body) {
  const flatten = (tool) =>
    tool.type === "namespace"
      ? (tool.tools ?? []).flatMap(flatten)
      : [
          {
            name: tool.name ?? tool.function?.name ?? tool.type,
            kind: tool.type,
            schema: tool.input_schema ?? tool.parameters ?? tool.function?.parameters,
          },
        ];
  const inInput = Array.isArray(body.input)
    ? body.input.filter((item) => item?.type === "additional_tools").flatMap((item) => item.tools ?? [])
    : [];
  return [...(body.tools ?? []), ...inInput].flatMap(flatten);
}

const textOf = (content) => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => part?.text ?? (typeof part?.content === "string" ? part.content : textOf(part?.content)))
    .filter(Boolean)
    .join("\n");
};

function summarize(_api, body, headers) {
  const messages =
    body.messages ??
    (Array.isArray(body.input) ? body.input : body.input ? [{ role: "user", content: body.input }] : []);
  const isToolResult = (m) =>
    m.role === "tool" ||
    /_output$/.test(m.type ?? "") ||
    (Array.isArray(m.content) && m.content.some((p) => p?.type === "tool_result"));
  const resultText = (m) => {
    if (m.output !== undefined) return typeof m.output === "string" ? m.output : textOf(m.output);
    if (!Array.isArray(m.content)) return textOf(m.content);
    return textOf(
      m.content.filter((p) => p?.type === "tool_result").length
        ? m.content.filter((p) => p?.type === "tool_result")
        : m.content,
    );
  };
  const users = messages
    .filter((m) => m.role === "user" && !isToolResult(m))
    .map((m) => textOf(m.content))
    .filter(Boolean);
  const prompt = (users.at(-1) ?? "").replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();
  const last = messages.filter((m) => m.role !== "system" && m.role !== "developer").at(-1);
  return {
    model: body.model ?? null,
    stream: body.stream === true,
    tools: declaredTools(body).map((t) => t.name),
    messages: messages.length,
    system: [
      textOf(body.system),
      body.instructions,
      ...messages.filter((m) => ["system", "developer"].includes(m.role)).map((m) => textOf(m.content)),
    ]
      .filter(Boolean)
      .join("\n"),
    prompt,
    allUsers: users.join("\n"),
    toolResult: last && isToolResult(last) ? resultText(last) : null,
    session: sessionOf(body, headers),
    effort: body.reasoning?.effort ?? body.reasoning_effort ?? body.output_config?.effort ?? null,
  };
}

function sessionOf(body, headers) {
  const direct =
    headers["x-claude-code-session-id"] ??
    headers["session-id"] ??
    headers.session_id ??
    headers["x-opencode-session"] ??
    headers["x-session-id"] ??
    headers["x-session-affinity"] ??
    headers["x-client-session-id"] ??
    body.prompt_cache_key;
  if (direct) return String(direct);
  const userId = body.metadata?.user_id;
  if (typeof userId !== "string") return null;
  try {
    return JSON.parse(userId).session_id ?? userId;
  } catch {
    return userId.match(/session_([0-9a-f-]{36})/)?.[1] ?? userId;
  }
}

// The agent's working folder, from --cwd or from what the CLI tells the model about itself.
function findCwd(given, summary) {
  if (given) return given;
  const all = `${summary.system}\n${summary.allUsers}`;
  const hit =
    all.match(/<cwd>([^<]+)<\/cwd>/) ??
    all.match(/(?:Primary working directory|Current working directory|Working directory|cwd)\s*:\s*`?([^\s`]+)/i);
  return hit ? hit[1].trim() : process.cwd();
}

// ---------------------------------------------------------------------------------------------
// Neutral tool calls -> the tool the CLI really declared
// ---------------------------------------------------------------------------------------------

const shellQuote = (s) => `'${String(s).replaceAll("'", `'\\''`)}'`;
const addFilePatch = (path, content) =>
  `*** Begin Patch\n*** Add File: ${path}\n${content
    .replace(/\n$/, "")
    .split("\n")
    .map((l) => `+${l}`)
    .join("\n")}\n*** End Patch\n`;

/** kind -> list of [declared tool name, input builder]; the first declared one is used. A string input is free-form. */
const TOOL_MAP = {
  write: [
    ["Write", (c, abs) => ({ file_path: abs, content: c.content })], // Claude Code
    ["write", (c, abs) => ({ filePath: abs, content: c.content })], // OpenCode
    ["create", (c, abs) => ({ path: abs, file_text: c.content })], // Copilot CLI
    ["apply_patch", (c) => addFilePatch(c.path, c.content)], // Codex, OpenCode and Copilot CLI with some models
    ["exec", (c) => `text(await tools.apply_patch(${JSON.stringify(addFilePatch(c.path, c.content))}));`], // Codex "code mode" models
  ],
  read: [
    ["Read", (_c, abs) => ({ file_path: abs })],
    ["read", (_c, abs) => ({ filePath: abs })],
    ["view", (_c, abs) => ({ path: abs })],
  ],
  shell: [
    ["Bash", (c) => ({ command: c.command, description: c.description ?? "Run a command" })], // Claude Code
    ["bash", (c) => ({ command: c.command, description: c.description ?? "Run a command" })], // OpenCode, Copilot CLI
    ["exec_command", (c) => ({ cmd: c.command })], // Codex
    ["shell_command", (c) => ({ command: c.command })], // Codex, older tool set
    ["shell", (c) => ({ command: ["bash", "-lc", c.command] })], // Codex, oldest tool set
    ["exec", (c) => `text(await tools.exec_command(${JSON.stringify({ cmd: c.command })}));`], // Codex "code mode" models
  ],
};

const asShell = {
  write: (c) => ({
    command: `${dirname(c.path) === "." ? "" : `mkdir -p ${shellQuote(dirname(c.path))} && `}printf %s ${shellQuote(c.content)} > ${shellQuote(c.path)}`,
  }),
  read: (c) => ({ command: `cat ${shellQuote(c.path)}` }),
};

/** One scenario tool call -> {name, input, custom}. `name` + `input` in the scenario are sent as they are. */
function resolveTool(call, body, cwd) {
  const declared = new Map(declaredTools(body).map((t) => [t.name, t]));
  if (call.name)
    return { name: call.name, input: call.input ?? {}, custom: declared.get(call.name)?.kind === "custom" };
  const abs = call.path && (isAbsolute(call.path) ? call.path : join(cwd, call.path));
  for (const [name, build] of TOOL_MAP[call.tool] ?? []) {
    const tool = declared.get(name);
    if (!tool) continue;
    const input = build(call, abs);
    if (typeof input !== "string") return { name, input, custom: false };
    if (tool.kind === "custom") return { name, input, custom: true };
    const field = Object.keys(tool.schema?.properties ?? { input: 1 })[0]; // a function tool with one text parameter
    return { name, input: { [field]: input }, custom: false };
  }
  if (asShell[call.tool]) return resolveTool({ tool: "shell", ...asShell[call.tool](call) }, body, cwd);
  throw new Error(
    `no declared tool fits ${JSON.stringify(call.tool)}; the CLI declared: ${[...declared.keys()].join(", ")}`,
  );
}

// ---------------------------------------------------------------------------------------------
// Writing answers: a tiny paced writer, then one encoder per dialect
// ---------------------------------------------------------------------------------------------

/** Sleeps, or returns early when the signal aborts. */
const sleep = (ms, signal) =>
  new Promise((done) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      done();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
  });

class Gone extends Error {} // the client went away, or the turn says to cut the stream

/** Streams text with the pacing the turn asks for: pieces, pauses, one stall, a cut, an in-stream error. */
class Pacer {
  constructor(turn, gone) {
    this.turn = turn;
    this.gone = gone;
    this.sent = 0;
    this.stalled = false;
  }

  async *pieces(text) {
    const {
      chunkChars = 40,
      chunkMs = 0,
      stallAfterChars = Infinity,
      stallMs = 0,
      cutAfterChars = Infinity,
    } = this.turn;
    for (let at = 0; at < text.length; ) {
      const stallIn = this.stalled ? Infinity : stallAfterChars - this.sent;
      const size = Math.max(
        1,
        Math.min(chunkChars, text.length - at, Math.max(0, stallIn) || chunkChars, cutAfterChars - this.sent),
      );
      if (this.sent >= cutAfterChars) throw new Gone("cut");
      if (!this.stalled && this.sent >= stallAfterChars) {
        this.stalled = true;
        await sleep(stallMs, this.gone);
      }
      if (this.gone.aborted) throw new Gone("client-closed");
      yield text.slice(at, at + size);
      at += size;
      this.sent += size;
      if (chunkMs) await sleep(chunkMs, this.gone);
    }
    if (this.sent >= cutAfterChars) throw new Gone("cut");
  }
}

let counter = 0;
const newId = (prefix) => `${prefix}_mock${String(++counter).padStart(6, "0")}`;
const usageOf = (turn) => ({ input: 1000, output: 50, cacheRead: 0, cacheWrite: 0, ...turn.usage });

/** Everything an encoder needs for one answer. */
function planAnswer(turn, body, cwd) {
  return {
    turn,
    model: body.model ?? "mock-model",
    text: turn.text ?? "",
    reasoning: turn.reasoning ?? "",
    calls: (turn.tools ?? []).map((c) => resolveTool(c, body, cwd)),
    usage: usageOf(turn),
  };
}

const anthropic = {
  error: (e) => ({
    type: "error",
    error: { type: e.type ?? "api_error", message: e.message },
    request_id: newId("req"),
  }),

  message({ turn, model, text, reasoning, calls, usage }) {
    const content = [];
    if (reasoning) content.push({ type: "thinking", thinking: reasoning, signature: "bW9jaw==" });
    if (text) content.push({ type: "text", text });
    for (const c of calls) content.push({ type: "tool_use", id: newId("toolu"), name: c.name, input: c.input });
    return {
      id: newId("msg"),
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: turn.stopReason ?? (calls.length ? "tool_use" : "end_turn"),
      stop_sequence: null,
      usage: {
        input_tokens: usage.input,
        output_tokens: usage.output,
        cache_creation_input_tokens: usage.cacheWrite,
        cache_read_input_tokens: usage.cacheRead,
        service_tier: "standard",
      },
    };
  },

  async *stream(plan, pacer) {
    const full = this.message(plan);
    const ev = (type, data) => ({ event: type, data: { type, ...data } });
    yield ev("message_start", {
      message: { ...full, content: [], stop_reason: null, usage: { ...full.usage, output_tokens: 1 } },
    });
    yield ev("ping", {});
    for (const [index, block] of full.content.entries()) {
      const start = { text: { type: "text", text: "" }, thinking: { type: "thinking", thinking: "", signature: "" } }[
        block.type
      ] ?? { ...block, input: {} };
      yield ev("content_block_start", { index, content_block: start });
      if (block.type === "tool_use") {
        yield ev("content_block_delta", {
          index,
          delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        });
      } else {
        for await (const piece of pacer.pieces(block[block.type])) {
          const delta =
            block.type === "text" ? { type: "text_delta", text: piece } : { type: "thinking_delta", thinking: piece };
          yield ev("content_block_delta", { index, delta });
        }
        if (block.type === "thinking")
          yield ev("content_block_delta", { index, delta: { type: "signature_delta", signature: block.signature } });
      }
      yield ev("content_block_stop", { index });
    }
    if (plan.turn.streamError) {
      yield { event: "error", data: this.error(plan.turn.streamError) };
      return;
    }
    yield ev("message_delta", { delta: { stop_reason: full.stop_reason, stop_sequence: null }, usage: full.usage });
    yield ev("message_stop", {});
  },
};

const responses = {
  error: (e) => ({
    error: { message: e.message, type: e.type ?? "server_error", param: null, code: e.code ?? null, ...e.extra },
  }),

  message({ turn, model, text, reasoning, calls, usage }) {
    const output = [];
    if (reasoning)
      output.push({
        type: "reasoning",
        id: newId("rs"),
        summary: [{ type: "summary_text", text: reasoning }],
        encrypted_content: null,
      });
    if (text)
      output.push({
        type: "message",
        id: newId("msg"),
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      });
    for (const c of calls) {
      const base = { id: newId("fc"), status: "completed", call_id: newId("call"), name: c.name };
      output.push(
        c.custom
          ? { type: "custom_tool_call", ...base, input: c.input }
          : { type: "function_call", ...base, arguments: JSON.stringify(c.input) },
      );
    }
    const cut = turn.stopReason === "max_tokens";
    return {
      id: newId("resp"),
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      model,
      output,
      status: cut ? "incomplete" : "completed",
      incomplete_details: cut ? { reason: "max_output_tokens" } : null,
      error: null,
      usage: {
        input_tokens: usage.input + usage.cacheRead,
        input_tokens_details: { cached_tokens: usage.cacheRead },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.cacheRead + usage.output,
      },
    };
  },

  async *stream(plan, pacer) {
    const full = this.message(plan);
    let n = 0;
    const ev = (type, data) => ({ event: type, data: { type, sequence_number: n++, ...data } });
    const begun = { ...full, status: "in_progress", output: [], usage: null, incomplete_details: null };
    yield ev("response.created", { response: begun });
    yield ev("response.in_progress", { response: begun });
    for (const [output_index, item] of full.output.entries()) {
      const at = { output_index, item_id: item.id };
      if (item.type === "message") {
        const part = { type: "output_text", text: "", annotations: [] };
        yield ev("response.output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } });
        yield ev("response.content_part.added", { ...at, content_index: 0, part });
        for await (const delta of pacer.pieces(plan.text))
          yield ev("response.output_text.delta", { ...at, content_index: 0, delta });
        yield ev("response.output_text.done", { ...at, content_index: 0, text: plan.text });
        yield ev("response.content_part.done", { ...at, content_index: 0, part: item.content[0] });
      } else if (item.type === "reasoning") {
        yield ev("response.output_item.added", { output_index, item: { ...item, summary: [] } });
        yield ev("response.reasoning_summary_part.added", {
          ...at,
          summary_index: 0,
          part: { type: "summary_text", text: "" },
        });
        for await (const delta of pacer.pieces(plan.reasoning))
          yield ev("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta });
        yield ev("response.reasoning_summary_text.done", { ...at, summary_index: 0, text: plan.reasoning });
        yield ev("response.reasoning_summary_part.done", { ...at, summary_index: 0, part: item.summary[0] });
      } else {
        const [field, name] =
          item.type === "custom_tool_call"
            ? ["input", "custom_tool_call_input"]
            : ["arguments", "function_call_arguments"];
        yield ev("response.output_item.added", { output_index, item: { ...item, status: "in_progress", [field]: "" } });
        yield ev(`response.${name}.delta`, { ...at, delta: item[field] });
        yield ev(`response.${name}.done`, { ...at, [field]: item[field] });
      }
      yield ev("response.output_item.done", { output_index, item });
    }
    if (plan.turn.streamError) {
      const { type, code, message } = plan.turn.streamError;
      yield ev("response.failed", { response: { ...full, status: "failed", error: { code: code ?? type, message } } });
      return;
    }
    yield ev(full.status === "incomplete" ? "response.incomplete" : "response.completed", { response: full });
  },
};

const chat = {
  error: responses.error,

  parts({ turn, model, usage, calls }) {
    const finish =
      { end_turn: "stop", max_tokens: "length", refusal: "content_filter" }[turn.stopReason] ??
      (calls.length ? "tool_calls" : "stop");
    return {
      head: { id: newId("chatcmpl"), created: Math.floor(Date.now() / 1000), model },
      finish,
      usage: {
        prompt_tokens: usage.input + usage.cacheRead,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.cacheRead + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
      },
      toolCalls: calls.map((c) => ({
        id: newId("call"),
        type: "function",
        function: { name: c.name, arguments: typeof c.input === "string" ? c.input : JSON.stringify(c.input) },
      })),
    };
  },

  message(plan) {
    const { head, finish, usage, toolCalls } = this.parts(plan);
    const message = {
      role: "assistant",
      content: plan.text || null,
      ...(toolCalls.length && { tool_calls: toolCalls }),
    };
    return { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }], usage };
  },

  async *stream(plan, pacer) {
    const { head, finish, usage, toolCalls } = this.parts(plan);
    const chunk = (delta, finish_reason = null) => ({
      data: { ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
    });
    yield chunk({ role: "assistant", content: "" });
    for await (const piece of pacer.pieces(plan.reasoning)) yield chunk({ reasoning_content: piece });
    for await (const piece of pacer.pieces(plan.text)) yield chunk({ content: piece });
    for (const [index, call] of toolCalls.entries()) yield chunk({ tool_calls: [{ index, ...call }] });
    if (plan.turn.streamError) {
      yield { data: this.error(plan.turn.streamError) };
      return;
    }
    yield chunk({}, finish);
    yield { data: { ...head, object: "chat.completion.chunk", choices: [], usage } };
    yield { data: "[DONE]" };
  },
};

const ENCODERS = { anthropic, responses, chat };

// ---------------------------------------------------------------------------------------------
// The server
// ---------------------------------------------------------------------------------------------

/** `{ "in": 90 }` in an error header means "now + 90 s" as epoch seconds; `{ "inIso": 90 }` the same as ISO text. */
function headerValues(headers = {}) {
  const now = Date.now();
  return Object.fromEntries(
    Object.entries(headers).map(([name, v]) => {
      if (v?.in !== undefined) return [name, String(Math.floor(now / 1000) + v.in)];
      if (v?.inIso !== undefined) return [name, new Date(now + v.inIso * 1000).toISOString().replace(/\.\d+Z$/, "Z")];
      return [name, String(v)];
    }),
  );
}

const readBody = async (req) => {
  const parts = [];
  for await (const part of req) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
};

/**
 * Starts the server.
 * @param {object} o
 * @param {object|string} o.scenario  scenario object, or the path of a scenario file
 * @param {number} [o.port]    0 = any free port
 * @param {string} [o.log]     JSONL file: a "request" line when one has been read, an "answer" line when its answer ended
 * @param {string} [o.bodies]  folder for the full request bodies, NNNN-<api>.json (for debugging)
 * @param {string} [o.cwd]     the agent's working folder: relative tool paths are resolved against it
 * @param {number} [o.idleMs]  close after this long without any open request (0 = never)
 * @param {number} [o.maxMs]   close after this long in any case (0 = never)
 * @returns {Promise<{port:number,url:string,scenario:string,requests:object[],close:()=>Promise<void>,closed:Promise<string>}>}
 *   requests: what the log holds, one object per request; `outcome` is absent while its answer is still open.
 *   closed: resolves to "asked", "idle" or "max".
 */
export async function startMockModel(o) {
  const scenario = checkScenario(
    typeof o.scenario === "string" ? JSON.parse(readFileSync(o.scenario, "utf8")) : o.scenario,
  );
  const script = new Script(scenario);
  const requests = [];
  let open = 0;
  let seen = 0;
  let idleTimer;
  let resolveClosed;
  const closed = new Promise((done) => {
    resolveClosed = done;
  });

  if (o.log) mkdirSync(dirname(resolve(o.log)), { recursive: true });
  if (o.bodies) mkdirSync(o.bodies, { recursive: true });
  // Two log lines per request: one when it has been read (so a test can see a stalled one), one when its answer ended.
  const log = (event, fields) => {
    if (o.log) appendFileSync(o.log, `${JSON.stringify({ event, ...fields })}\n`);
  };
  const arrived = (entry) => {
    requests.push(entry);
    log("request", entry);
  };

  const armIdle = () => {
    clearTimeout(idleTimer);
    if (o.idleMs && open === 0) idleTimer = setTimeout(() => close("idle"), o.idleMs);
  };

  async function answer(req, res, entry) {
    const url = new URL(req.url, "http://mock");
    const api = DIALECTS.find((d) => d.match.test(url.pathname))?.api;
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const json = (status, data, headers = {}) => {
      res.writeHead(status, { "content-type": "application/json", ...headers });
      res.end(req.method === "HEAD" ? undefined : JSON.stringify(data));
    };

    const raw = await readBody(req);
    if (!api || req.method !== "POST") {
      entry.kind = "other";
      arrived(entry);
      if (/^(\/v1)?\/models$/.test(url.pathname))
        return json(200, {
          object: "list",
          data: [
            {
              id: "mock-model",
              object: "model",
              type: "model",
              display_name: "Mock model",
              owned_by: "mock",
              created: 0,
            },
          ],
          models: [],
          has_more: false,
        });
      if (url.pathname === "/") return json(200, { ok: true });
      return json(404, { type: "error", error: { type: "not_found_error", message: "mock: no such path" } });
    }

    let body;
    try {
      body = JSON.parse(raw);
    } catch {
      entry.kind = "bad";
      arrived(entry);
      return json(400, { type: "error", error: { type: "invalid_request_error", message: "mock: body is not JSON" } });
    }
    if (o.bodies)
      writeFileSync(
        join(o.bodies, `${String(entry.n).padStart(4, "0")}-${api}.json`),
        JSON.stringify({ headers: maskHeaders(req.headers), body }, null, 1),
      );

    const summary = summarize(api, body, req.headers);
    Object.assign(entry, {
      api,
      session: summary.session,
      model: summary.model,
      stream: summary.stream,
      effort: summary.effort,
      messages: summary.messages,
      tools: summary.tools,
      prompt: summary.prompt.slice(-400),
      toolResult: summary.toolResult?.slice(0, 400) ?? null,
    });

    if (api === "anthropic-count") {
      entry.kind = "count";
      arrived(entry);
      return json(200, { input_tokens: Math.ceil(raw.length / 4) });
    }

    // Titles, topic checks and the like declare no tools: they get a fixed answer and use up no turn.
    const side = scenario.toolless === "side" && summary.tools.length === 0;
    entry.kind = side ? "side" : "main";
    const { index, turn } = side ? { index: null, turn: { text: scenario.sideText } } : script.next(summary.session);
    entry.turn = index;
    arrived(entry);

    const encoder = ENCODERS[api];
    if (turn.delayMs) await sleep(turn.delayMs, gone.signal);
    if (gone.signal.aborted) throw new Gone("client-closed");
    if (turn.error)
      return json(
        turn.error.status,
        encoder.error({ message: `mock error ${turn.error.status}`, ...turn.error }),
        headerValues(turn.error.headers),
      );

    const plan = planAnswer(turn, body, findCwd(o.cwd, summary));
    entry.calls = plan.calls.map((c) => c.name);
    if (!summary.stream) {
      if (turn.stallMs) await sleep(turn.stallMs, gone.signal);
      if (turn.cutAfterChars !== undefined) throw new Gone("cut");
      return json(200, encoder.message(plan));
    }
    res.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "request-id": newId("req"),
    });
    for await (const { event, data } of encoder.stream(plan, new Pacer(turn, gone.signal))) {
      if (gone.signal.aborted) throw new Gone("client-closed");
      res.write(
        `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
      );
    }
    res.end();
  }

  const server = createServer((req, res) => {
    open += 1;
    clearTimeout(idleTimer);
    const started = Date.now();
    const entry = {
      n: ++seen,
      time: new Date(started).toISOString(),
      method: req.method,
      path: req.url,
      agent: req.headers["user-agent"] ?? null,
    };
    answer(req, res, entry)
      .then(() => {
        entry.outcome = "answered";
      })
      .catch((error) => {
        entry.outcome = error instanceof Gone ? error.message : "mock-error";
        if (!(error instanceof Gone)) entry.error = String(error?.message ?? error);
        if (entry.outcome === "mock-error" && !res.headersSent) {
          res.writeHead(400, { "content-type": "application/json" });
          res.end(
            JSON.stringify({
              type: "error",
              error: { type: "invalid_request_error", message: `mock: ${entry.error}` },
            }),
          );
        } else {
          res.destroy();
        }
      })
      .finally(() => {
        Object.assign(entry, { status: res.headersSent ? res.statusCode : null, ms: Date.now() - started });
        const { n, kind, turn, status, outcome, error, calls, ms } = entry;
        log("answer", { n, kind, turn, status, outcome, error, calls, ms });
        open -= 1;
        armIdle();
      });
  });
  server.keepAliveTimeout = 1000;

  await new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(o.port ?? 0, "127.0.0.1", done);
  });
  const maxTimer = o.maxMs ? setTimeout(() => close("max"), o.maxMs) : undefined;
  armIdle();

  let closing;
  function close(why = "asked") {
    closing ??= new Promise((done) => {
      clearTimeout(idleTimer);
      clearTimeout(maxTimer);
      server.close(() => {
        resolveClosed(why);
        done();
      });
      server.closeAllConnections();
    });
    return closing;
  }

  const { port } = server.address();
  return { port, url: `http://127.0.0.1:${port}`, scenario: scenario.name, requests, close: () => close(), closed };
}

const SECRET_HEADERS = /^(authorization|x-api-key|api-key|cookie)$/i;
const maskHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, SECRET_HEADERS.test(k) ? "***" : v]));

// ---------------------------------------------------------------------------------------------
// Command line
// ---------------------------------------------------------------------------------------------

async function main() {
  const { values } = parseArgs({
    options: {
      scenario: { type: "string" },
      port: { type: "string", default: "0" },
      cwd: { type: "string" },
      log: { type: "string" },
      bodies: { type: "string" },
      "idle-ms": { type: "string", default: "60000" },
      "max-ms": { type: "string", default: "900000" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help || !values.scenario) {
    console.error(
      "usage: server.mjs --scenario FILE [--port 0] [--cwd DIR] [--log FILE] [--bodies DIR] [--idle-ms 60000] [--max-ms 900000]",
    );
    process.exit(values.help ? 0 : 2);
  }
  const mock = await startMockModel({
    scenario: values.scenario,
    port: Number(values.port),
    cwd: values.cwd,
    log: values.log,
    bodies: values.bodies,
    idleMs: Number(values["idle-ms"]),
    maxMs: Number(values["max-ms"]),
  });
  console.log(
    JSON.stringify({ event: "listening", port: mock.port, url: mock.url, pid: process.pid, scenario: mock.scenario }),
  );
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => mock.close());
  const why = await mock.closed;
  console.log(JSON.stringify({ event: "closed", why, requests: mock.requests.length }));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(`mock-model: ${error.message}`);
    process.exit(2);
  });
}
