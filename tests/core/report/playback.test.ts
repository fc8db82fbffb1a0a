import { describe, expect, test } from "bun:test";
import {
  advance,
  applyPlayKey,
  type Playback,
  playbackTime,
  remainingDelay,
} from "../../../src/core/report/playback.ts";

const given = (about: Partial<Playback> = {}): Playback => ({
  speed: 1,
  isPaused: false,
  at: 1000,
  share: 0,
  ...about,
});

describe("the delay of a replay", () => {
  test.each([
    ["equals the time since the previous event", 700, 1, 700],
    ["is a tenth of it at ten times the speed", 700, 10, 70],
    ["is twice as long at half the speed", 700, 0.5, 1400],
    ["is cut short after a wait of hours", 7_200_000, 1, 2000],
    ["is none if the clock went back", -500, 1, 0],
    ["is none for an invalid time", Number.NaN, 1, 0],
  ])("%s", (_, ms, speed, rest) => expect(remainingDelay(given({ speed }), 1000 + ms)).toBe(rest));
});

describe("elapsed time before the next replayed event", () => {
  test.each<[string, Partial<Playback>, number, number, number | null, number]>([
    ["may be too short", {}, 1500, 200, null, 1200],
    ["may exceed the delay, and the rest is returned", {}, 1500, 700, 200, 1500],
    ["counts double at double speed", { speed: 2 }, 1500, 300, 50, 1500],
    ["ends a silence of hours in two seconds", {}, 7_201_000, 2100, 100, 7_201_000],
    ["runs through such a silence evenly", {}, 7_201_000, 1000, null, 3_601_000],
    ["is none before an event of the same time", {}, 1000, 0, 0, 1000],
    ["is none if the clock went back", {}, 400, 5, 5, 400],
  ])("%s", (_, about, nextAt, ms, left, clock) => {
    const next = advance(given(about), nextAt, ms);
    expect(next.left).toBe(left);
    expect(Math.round(playbackTime(next.playback, next.left === null ? nextAt : null))).toBe(clock);
  });

  test("adds up across a change of speed", () => {
    const half = advance(given(), 2000, 500).playback;
    expect(remainingDelay(half, 2000)).toBe(500);
    const faster = applyPlayKey(half, "faster");
    expect(remainingDelay(faster, 2000)).toBe(250);
    const later = advance(faster, 2000, 125).playback;
    expect(playbackTime(later, 2000)).toBe(1750);
    expect(advance(later, 2000, 126).left).toBeCloseTo(1);
  });
});

test("replay keys pause, step and change the speed within bounds", () => {
  expect(applyPlayKey(given(), "toggle").isPaused).toBe(true);
  expect(applyPlayKey(given({ isPaused: true }), "toggle").isPaused).toBe(false);
  expect(applyPlayKey(given(), "step").isPaused).toBe(true);
  const many = (key: "faster" | "slower") =>
    Array.from({ length: 20 }).reduce<Playback>((p) => applyPlayKey(p, key), given());
  expect([many("slower").speed, many("faster").speed]).toEqual([1 / 8, 1024]);
});
