import { expect, test } from "bun:test";
import { completeLock, type Lock, missingOptional } from "../../scripts/lib/package-lock.ts";

const lock: Lock = {
  packages: {
    "": { devDependencies: { tool: "1.0.0" } },
    "node_modules/tool": {
      version: "1.0.0",
      optionalDependencies: {
        "@tool/cli-linux-x64": "1.0.0",
        "@tool/cli-linux-x64-musl": "1.0.0",
        "@tool/cli-darwin-arm64": "1.0.0",
        "@tool/nested": "2.0.0",
        other: "^3.1.0",
      },
    },
    "node_modules/@tool/cli-linux-x64": { version: "1.0.0" },
    "node_modules/tool/node_modules/@tool/nested": { version: "2.0.0" },
  },
};

test("optional packages missing from the lock file are named", () => {
  expect(missingOptional(lock)).toEqual({
    "@tool/cli-linux-x64-musl": "1.0.0",
    "@tool/cli-darwin-arm64": "1.0.0",
    other: "^3.1.0",
  });
});

test("the completed lock file lacks nothing and has the platforms of added packages", () => {
  const whole = completeLock(lock);
  expect(missingOptional(whole)).toEqual({});
  expect(whole.packages).toMatchObject({
    ...lock.packages,
    "node_modules/@tool/cli-darwin-arm64": { version: "1.0.0", os: ["darwin"], cpu: ["arm64"], optional: true },
    "node_modules/@tool/cli-linux-x64-musl": { version: "1.0.0", os: ["linux"], cpu: ["x64"], libc: ["musl"] },
    "node_modules/other": { version: "3.1.0", optional: true },
  });
  expect(completeLock(whole)).toEqual(whole);
});
