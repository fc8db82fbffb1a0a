import { describe, expect, test } from "bun:test";
import { createHastyClock } from "../fake-clock.ts";
import { computing, js, runAgent, STAY } from "./run-agent.ts";

const MINUTE = 60_000;

describe("an agent under the write clock", () => {
  test("that prints but writes nothing is ended as idle, for that reason", async () => {
    const chatters = js("setInterval(() => console.log(1), 1);");
    const ran = await runAgent(chatters, { writeMs: 10 * MINUTE }, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", noWrites: true, ms: 10 * MINUTE });
  });

  test("that writes goes on", async () => {
    const answers = [true, true, false];
    const options = { writeMs: 10 * MINUTE, hasWritten: async () => answers.shift() ?? false };
    const ran = await runAgent(js(STAY), options, createHastyClock());
    expect(ran).toMatchObject({ outcome: "idle", noWrites: true, ms: 30 * MINUTE });
  });

  test("whose child computes goes on", async () => {
    using agent = computing();
    const ran = await runAgent(agent.command, { writeMs: 500, hasWritten: agent.ask });
    expect(ran).toMatchObject({ outcome: "ok", noWrites: false });
  });

  test("that only computes itself is ended: a child's work is a sign of life, its own is not", async () => {
    const ran = await runAgent(js("for (;;);"), { writeMs: 500, timeoutMs: 10_000 });
    expect(ran).toMatchObject({ outcome: "idle", noWrites: true });
  });
});
