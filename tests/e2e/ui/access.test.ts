/** Who may speak to the server of `ralph ui`, at the compiled program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { VERSION } from "../../../src/version.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { enter, get, post, type Secrets, startUi, type Ui } from "../support/ui.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** The id of the only project, as the page gets it. */
async function shownRun(ui: Ui, secrets: Secrets): Promise<{ project: string; run: string }> {
  const answer = await get(ui, "/api/follow/home", secrets);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const [, id, run] = /#\/run\/([0-9a-f]{16})\/([\w-]+)/.exec(text) ?? [];
    if (id !== undefined && run !== undefined) {
      await reader?.cancel();
      return { project: id, run };
    }
    text += (await reader?.read())?.value ?? "";
  }
}

describe("the page's server", () => {
  let at: Project;
  let ui: Ui;
  let secrets: Secrets;
  beforeAll(async () => {
    at = project();
    ui = await startUi(at);
    secrets = await enter(ui);
  });
  afterAll(() => ui.kill("SIGTERM"));

  test("answers an admitted browser, and needs both of its secrets", async () => {
    expect((await get(ui, "/api/start", secrets)).status).toBe(200);
    const { cookie, "x-ralph-key": key } = secrets;
    for (const some of [{}, { cookie }, { "x-ralph-key": key }, { cookie, "x-ralph-key": `${key}x` }])
      expect((await get(ui, "/api/start", some as Record<string, string>)).status).toBe(401);
    expect((await get(ui, "/api/follow/home", { cookie })).status).toBe(401);
    expect((await post(ui, "/api/act", {}, { cookie })).status).toBe(401);
  });

  test("lets one browser in by an address, and prints another one for the next", async () => {
    const first = ui.address();
    const before = await post(ui, "/enter", { token: first.split("#")[1] });
    expect(before.status).toBe(200);
    const cookie = before.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    await until("a new address", () => ui.address() !== first);
    expect((await post(ui, "/enter", { token: first.split("#")[1] })).status).toBe(403);
    expect((await post(ui, "/enter", { token: "" })).status).toBe(403);
    expect((await post(ui, "/enter", { token: ui.address().split("#")[1] })).status).toBe(200);
  });

  /** The first line of the answer to a target that no client of HTTP would let through. */
  const asked = (host: string, target = "/", more = "") =>
    new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(ui.port, "127.0.0.1", () =>
        socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`),
      );
      socket.on("data", (part) => {
        text += part;
      });
      socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""));
    });

  test("refuses a name that was bound to its address", async () => {
    expect(await asked(`127.0.0.1:${ui.port}`)).toBe("HTTP/1.1 200 OK");
    expect(await asked(`evil.example:${ui.port}`)).toBe("HTTP/1.1 403 Forbidden");
    expect(await asked("127.0.0.1")).toBe("HTTP/1.1 403 Forbidden");
  });

  test("has nothing where a target is no path of the page", async () => {
    const { cookie, "x-ralph-key": key } = secrets;
    const admitted = `cookie: ${cookie}\r\nx-ralph-key: ${key}\r\n`;
    const own = `127.0.0.1:${ui.port}`;
    expect(await asked(own, "/api/start?a=%&b", admitted)).toBe("HTTP/1.1 200 OK");
    const odd = [
      "//",
      "///",
      "//foo",
      "//api/start",
      "/\\",
      "//[",
      "//@",
      "//x:99999/",
      "http://[",
      "https://u:p@:99999/",
    ];
    const other = [
      "http://x/",
      "http://x/api/start",
      `http://${own}/`,
      "*",
      "foo",
      "/%",
      "/%zz",
      "/api/%ff",
      "/api/../start",
    ];
    for (const target of [...odd, ...other, `/${"a".repeat(5000)}`])
      expect([target, await asked(own, target, admitted)]).toEqual([
        target,
        expect.stringMatching(/^HTTP\/1\.1 40[04] /),
      ]);
  });

  test("refuses what another origin's page asks, even with the secrets", async () => {
    const other = { ...secrets, origin: "http://127.0.0.1:1" };
    expect((await get(ui, "/api/start", other)).status).toBe(403);
    expect((await post(ui, "/api/act", {}, other)).status).toBe(403);
    expect(
      (await get(ui, "/api/start", { ...secrets, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" })).status,
    ).toBe(403);
    const without = await fetch(`http://127.0.0.1:${ui.port}/api/act`, {
      method: "POST",
      headers: secrets,
      body: "{}",
    });
    expect(without.status).toBe(403);
  });

  test("forbids inline script, other origins and frames, and keeps nothing", async () => {
    for (const path of ["/", "/page.js", "/api/start", "/nowhere"]) {
      const { headers } = await get(ui, path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBe(null);
    }
    expect(await (await get(ui, "/")).text()).not.toMatch(/<script>|<style|\son\w+=/);
  });

  test("changes nothing without --control", async () => {
    const answer = await post(ui, "/api/act", { project: "0", command: { command: "pause" } }, secrets);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: "This page only shows: nothing can be changed from it." });
  });

  test("takes no long body, no other method, and no path of the disk", async () => {
    expect((await post(ui, "/enter", { token: "x".repeat(100_000) })).status).toBe(409);
    expect((await fetch(`http://127.0.0.1:${ui.port}/`, { method: "PUT" })).status).toBe(405);
    for (const path of ["/../etc/passwd", "/api/transcript?project=..&run=..&iteration=1", "/%2e%2e/x"])
      expect((await get(ui, path, secrets)).status).toBeGreaterThanOrEqual(400);
  });

  test("listens on loopback alone", () => {
    const hex = ui.port.toString(16).toUpperCase().padStart(4, "0");
    const listening = readFileSync("/proc/net/tcp", "utf8")
      .split("\n")
      .filter((line) => / 0A /.test(line) && line.includes(`:${hex} `));
    expect(listening).toHaveLength(1);
    expect(listening[0]).toContain(`0100007F:${hex}`);
  });

  test("writes no secret that opens the page", () => {
    const file = join(at.env.HOME ?? "", ".local/state/ralph/ui/server.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    for (const word of [ui.address().split("#")[1] ?? "", secrets["x-ralph-key"], secrets.cookie.split("=")[1] ?? ""])
      expect(text).not.toContain(word);
  });
});

test("a second start finds the first, and ralph ui stop ends it", async () => {
  const at = project();
  const ui = await startUi(at);
  const second = await at.ralph("ui", "--no-open");
  expect(second.exit).toBe(0);
  expect(second.stderr).toContain(`http://127.0.0.1:${ui.port}/`);
  expect(second.stdout + second.stderr).not.toContain(ui.address());
  const steering = await at.ralph("ui", "--no-open", "--control");
  expect(steering.exit).toBe(7);
  const served = `The page is served already, by process ${ui.pid} at http://127.0.0.1:${ui.port}/`;
  expect(steering.stderr).toContain(`${served}, and it only shows.`);
  expect(steering.stderr).toContain("End that first: ralph ui stop");
  expect((await at.ralph("ui", "--no-open", "--port", String(ui.port))).exit).toBe(0);
  const other = ui.port === 4000 ? 4001 : 4000;
  const elsewhere = await at.ralph("ui", "--no-open", "--port", String(other));
  expect(elsewhere.exit).toBe(7);
  expect(elsewhere.stderr).toContain(`${served}, and not at port ${other}.`);
  expect((await at.ralph("ui", "stop")).stdout).toBe("The page is no longer served. Runs go on.\n");
  expect(await ui.exited).toBe(0);
  const none = await at.ralph("ui", "stop");
  expect({ exit: none.exit, told: none.stderr.includes("No page is served.") }).toEqual({ exit: 7, told: true });
});

test("a second start says that another version's page is served", async () => {
  const at = project();
  const ui = await startUi(at);
  const file = join(at.env.HOME ?? "", ".local/state/ralph/ui/server.json");
  const written = JSON.parse(readFileSync(file, "utf8"));
  const second = () => at.ralph("ui", "--no-open");
  expect((await second()).stderr).not.toContain("the page of");
  writeFileSync(file, JSON.stringify({ ...written, version: "0.0.9" }));
  expect((await second()).stderr).toContain(`It is the page of ralph 0.0.9, not of ${VERSION}.`);
  // As versions before this one wrote it.
  writeFileSync(file, JSON.stringify({ ...written, version: undefined, others: undefined }));
  expect((await second()).stderr).toContain(`It is the page of an earlier ralph, not of ${VERSION}.`);
  expect((await at.ralph("ui", "stop")).exit).toBe(0);
  expect(await ui.exited).toBe(0);
});

test("of several starts at once one serves, and the others tell of it", async () => {
  const at = project();
  const all = Array.from({ length: 8 }, () => at.start("ui", "--no-open"));
  const over: string[] = [];
  for (const one of all) void one.ended.then(({ exit, stderr }) => over.push(`${exit} ${stderr}`));
  await until("all but one to end", () => over.length >= 7);
  const served = readFileSync(join(at.env.HOME ?? "", ".local/state/ralph/ui/server.json"), "utf8");
  const told = `0 The page is served already, by process ${JSON.parse(served).pid} at http://127.0.0.1:`;
  expect(over.filter((line) => !line.startsWith(told))).toEqual([]);
  expect((await at.ralph("ui", "stop")).exit).toBe(0);
  await until("the last one to end", () => over.length === 8);
});

test("a server that is suspended is neither said to be none, nor does another one take its place", async () => {
  const at = project();
  const ui = await startUi(at);
  ui.kill("SIGSTOP");
  for (const words of [["stop"], ["--no-open"]]) {
    const { exit, stderr } = await at.ralph("ui", ...words);
    expect({ words, exit, stderr }).toEqual({ words, exit: 7, stderr: expect.stringContaining("does not answer.") });
    expect(stderr).toContain(`End it, if it is not to go on: kill -9 ${ui.pid}`);
  }
  ui.kill("SIGCONT");
  expect((await at.ralph("ui", "stop")).exit).toBe(0);
  expect(await ui.exited).toBe(0);
});

test("the server ends with its terminal, and a killed one hinders no new one", async () => {
  const at = project();
  const first = await startUi(at);
  first.kill("SIGHUP");
  expect(await first.exited).toBe(129);
  const second = await startUi(at);
  second.kill("SIGKILL");
  await second.exited;
  const third = await startUi(at, "--port", String(second.port));
  expect(third.port).toBe(second.port);
  third.kill("SIGINT");
  expect(await third.exited).toBe(0);
});

test("an agent is given no control", async () => {
  const at = project({ env: { RALPH_RUN: "0001-x" } });
  const { exit, stderr } = await at.ralph("ui", "--no-open", "--control");
  expect({ exit, told: stderr.includes("An agent may not steer the run") }).toEqual({ exit: 7, told: true });
});

test("a run is steered with --control, and follows only the run that the page shows", async () => {
  const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }, works(2)] });
  const live = at.start();
  await until("a call", () => at.calls().length === 1);
  const ui = await startUi(at, "--control");
  const secrets = await enter(ui);
  const shown = await shownRun(ui, secrets);
  const act = async (command: unknown, more: object = {}) =>
    (await post(ui, "/api/act", { ...shown, ...more, command }, secrets)).json() as Promise<{
      told?: string;
      error?: string;
    }>;
  expect((await act({ command: "say", text: "Use yargs" })).told).toContain("next prompt");
  expect((await act({ command: "pause" })).told).toContain("Pausing after iteration 1");
  expect((await act({ command: "resume" })).told).toBe("Going on.");
  expect((await act({ command: "stop", how: "now" }, { run: "0009-20260101-000000" })).error).toBe(
    "Another run is live by now.",
  );
  expect((await act({ command: "rm -rf" })).error).toBe("The words are missing, or too many.");
  expect((await act({ command: "stop", how: "now" })).told).toBe("Stopping now.");
  expect((await live.ended).exit).toBe(0);
  expect(at.event("run_finished")?.stop_reason).toBe("stopped_by_user");
  expect((await act({ command: "pause" })).error).toBe("No run is live in this project.");
  ui.kill("SIGTERM");
});
