import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { homeFolder } from "../../../src/effects/user/home.ts";

test.each([
  [{ HOME: "/h", USERPROFILE: "C:\\u" }, "/h"],
  [{ HOME: "", USERPROFILE: "C:\\u" }, "C:\\u"],
  [{ HOME: "", USERPROFILE: "" }, homedir()],
  [{}, homedir()],
])("the home folder in %j is %s", (env, folder) => {
  expect(homeFolder(env)).toBe(folder);
});
