import { describe, expect, test } from "bun:test";
import { childrenUntil } from "../../../src/effects/process-tree/orphans.ts";
import type { ProcessInfo } from "../../../src/effects/process-tree/process-info.ts";

const process = (pid: number, parent: number, started: number): ProcessInfo => ({
  pid,
  parent,
  group: 0,
  startTime: `spawn:${started}`,
  cpuMs: 0,
  isZombie: false,
});

describe("the children of a dead agent", () => {
  const agent = { pid: 10, start_time: "spawn:100000" };

  test.each([
    ["include one that it started while it was known to live", process(11, 10, 150_000), true],
    ["exclude another process's child", process(11, 12, 150_000), false],
    ["exclude a child of an earlier process with its pid", process(11, 10, 90_000), false],
    ["exclude a child of a later process with its pid", process(11, 10, 250_000), false],
  ])("%s", (_, info, isChild) => {
    expect(childrenUntil([info], agent, 200_000)).toEqual(isChild ? [info] : []);
  });

  test("are unknown without its start time", () => {
    expect(childrenUntil([process(11, 10, 150_000)], { pid: 10, start_time: null }, 200_000)).toEqual([]);
  });
});
