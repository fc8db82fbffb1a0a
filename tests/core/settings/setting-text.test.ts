import { expect, test } from "bun:test";
import { settingText } from "../../../src/core/settings/setting-text.ts";

test.each([
  [480, "480"],
  [1 / 60, "1s"],
  [1.5, "90s"],
])("%d minutes are written as the settings file takes them", (minutes, text) => {
  expect(settingText("MAX_TIME", minutes)).toBe(text);
});
