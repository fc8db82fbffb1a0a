/** Refusals by the provider, the account and the permissions. */
import { describe, expect, test } from "bun:test";
import { claudeProject, subscription } from "./claude-project.ts";
import { expectEnd } from "./expectations.ts";

describe("a limit", () => {
  test("of the plan ends the run if the user does not wait, and counts nowhere", async () => {
    await using project = await claudeProject("usage-limit");
    const ended = await project.run(["run", "--on-limit", "stop"], subscription);
    expectEnd(project, ended, "usage_limit", { iterations: 0, requests: 1 });
    const [limit] = project.journal().of("agent_limit");
    expect(limit).toMatchObject({ kind: "usage_limit", message: "The five hour limit of the plan is reached." });
    expect(Date.parse(limit?.resets_at ?? "") - Date.parse(limit?.at ?? "")).toBeGreaterThan(3_500_000);
    expect(project.status()).toMatchObject({ calls_made_this_hour: 0, last_action: "api_limit_exit" });
  });

  test("of the rate does the same", async () => {
    await using project = await claudeProject("rate-limit");
    const ended = await project.run(["run", "--on-limit", "stop"]);
    // The CLI itself repeats the request once.
    expectEnd(project, ended, "usage_limit", { iterations: 0, requests: 2 });
    expect(project.journal().of("agent_limit")).toMatchObject([{ kind: "rate_limit", resets_at: null }]);
  });
});

test("a failed login ends the run, and its sentence names the login command", async () => {
  await using project = await claudeProject("auth-failure");
  const ended = await project.run(["run"]);
  expectEnd(project, ended, "authentication", { requests: 2 });
  const sentence =
    "The agent's login is missing or not accepted: Invalid API key · Fix external API key. Log in with: claude /login";
  expect(project.journal().of("run_finished")[0]?.sentence).toBe(sentence);
  // The terminal folds the line after the time.
  expect(ended.stdout.replace(/\n\[[^\]]+\] +/g, " ")).toContain("Log in with: claude /login");
});

test("a missing login ends the run without a request", async () => {
  await using project = await claudeProject("plain-text");
  const ended = await project.run(["run"], { ANTHROPIC_API_KEY: null });
  expectEnd(project, ended, "authentication", { requests: 0 });
});

test.each([
  ["an account without credit", "no-credit", "unpaid"],
  ["an unpaid bill in unknown words", "payment-required", "unpaid"],
  ["a model that does not exist", "no-such-model", "model_unavailable"],
] as const)("%s ends the run after one call", async (_, scenario, reason) => {
  await using project = await claudeProject(scenario);
  const ended = await project.run(["run"]);
  const [finished] = project.journal().of("run_finished");
  expect([ended.exitCode, finished?.stop_reason, finished?.calls]).toEqual([reason === "unpaid" ? 6 : 7, reason, 1]);
});

test.each([
  ["a request that is too large", "request-too-large"],
  ["a prompt that is too long", "context-overflow"],
])("%s drops the session that made it so", async (_, scenario) => {
  await using project = await claudeProject(scenario);
  const ended = await project.run(["run", "--max-iterations", "1"]);
  expect(ended.exitCode).toBe(4);
  const journal = project.journal();
  expect(journal.of("agent_finished")).toMatchObject([{ ok: false, error: { class: "context" }, repeat: null }]);
  expect(journal.of("reset")).toMatchObject([{ what: "session", reason: "api_error" }]);
  expect(journal.gaps()).toEqual([]);
});

test("a conversation that grew too long is begun anew within its iteration", async () => {
  await using project = await claudeProject("then-too-long");
  await project.run(["run", "--max-iterations", "2"]);
  const journal = project.journal();
  expect(journal.of("iteration_started").map(({ number, call, resume }) => [number, call, resume !== null])).toEqual([
    [1, 1, false],
    [2, 1, true],
    [2, 2, false],
  ]);
  expect(journal.of("iteration_finished").map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
});

describe("a denied write", () => {
  const denying = ["run", "--permission-mode", "default", "--allowed-tools", "Read"];

  test("is reported, and the loop goes on by default", async () => {
    await using project = await claudeProject("denied-every-time");
    const ended = await project.run([...denying, "--max-iterations", "1"]);
    expectEnd(project, ended, "max_iterations", { requests: 2 });
    expect(project.journal().of("iteration_finished")[0]?.analysis).toMatchObject({
      has_permission_denials: true,
      permission_denial_count: 1,
      denied_commands: ["Write"],
    });
    expect(project.read("denied.txt")).toBeNull();
    expect(ended.stdout).toContain("Denied: Write; nothing changed.");
  });

  test("halts the run in halt mode and says what to do about it", async () => {
    await using project = await claudeProject("denied-every-time");
    const ended = await project.run([...denying, "--on-denial", "halt"]);
    expectEnd(project, ended, "permission_denied", { requests: 2 });
    expect(project.journal().of("run_finished")[0]?.sentence).toBe("The agent was denied Write.");
    expect(project.journal().of("reset")).toMatchObject([{ what: "session", reason: "permission_denied" }]);
    expect(ended.stdout).toContain("Denied: Write, in mode default (--permission-mode)");
  });

  test("opens the breaker at the second one in threshold mode", async () => {
    await using project = await claudeProject("denied-every-time");
    const ended = await project.run([...denying, "--on-denial", "threshold"]);
    expectEnd(project, ended, "permission_denials", { iterations: 2, requests: 4 });
    expect(JSON.parse(project.read(".ralph/.circuit_breaker_state") ?? "{}")).toMatchObject({
      state: "OPEN",
      consecutive_permission_denials: 2,
    });
    expect(ended.stdout).toContain("Denied: Write, in mode default (--permission-mode)");
  });
});
