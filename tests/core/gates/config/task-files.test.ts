import { describe, expect, test } from "bun:test";
import { compareGateFiles, type FileChange } from "../../../../src/core/gates/compare.ts";

const MAKE = "check: lint test\n\ntest:\n\tgo test ./...\n\nlint:\n\tgolangci-lint run\n";
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

describe("a rule of a Makefile", () => {
  const kindOf = (text: string) => compareGateFiles([{ path: "Makefile", before: MAKE, after: `${MAKE}${text}` }]).kind;

  test.each([["\ntest: ;\n"], ["\ntest:\n\t@echo fine\n"], ["\nbuild test:\n\tgo build ./...\n"]])(
    "takes the place of an earlier one: %j",
    (text) => {
      expect(kindOf(text)).toBe("weaker");
    },
  );

  test("is told with its line", () => {
    const change = compareGateFiles([{ path: "Makefile", before: MAKE, after: `${MAKE}\ntest:\n\tgo build ./...\n` }]);
    expect(change).toMatchObject({
      kind: "weaker",
      reasons: [{ path: "Makefile", line: 9, what: "a later rule takes its place: test:" }],
    });
  });

  test.each([
    ["\ntest: generate\n\ngenerate:\n\tgo generate ./...\n"],
    ["\n.PHONY: test lint\ntest: export CGO_ENABLED = 0\n"],
    ["\ntest: lint ## runs all; slowly\n"],
    ["\nifdef CI\nslow:\n\tgo test -count=1 ./...\nelse\nslow:\n\tgo test ./...\nendif\n"],
    ["\nmore::\n\tgo vet ./...\n\nmore::\n\tgo mod verify\n"],
    ["\n%.out: %.go\n\tgo build $<\n"],
    ["\nTEST := test\n"],
  ])("stands beside the others: %j", (text) => {
    expect(kindOf(text)).toBe("adds");
  });
});

describe("a task that checks", () => {
  const TURBO = {
    tasks: {
      build: { outputs: ["dist/**"] },
      test: { dependsOn: ["build"] },
      check: { dependsOn: ["test", "lint"] },
      lint: {},
    },
  };
  const PROJECT = { targets: { build: { executor: "@nx/vite:build" }, test: { executor: "@nx/vite:test" } } };
  const kindOf = (path: string, before: object, after: object, ...others: FileChange[]) =>
    compareGateFiles([{ path, before: json(before), after: json(after) }, ...others]).kind;

  test("is gone", () => {
    const { test: _, ...tasks } = TURBO.tasks;
    expect(kindOf("turbo.json", TURBO, { tasks })).toBe("weaker");
    expect(kindOf("project.json", PROJECT, { targets: { build: PROJECT.targets.build } })).toBe("weaker");
  });

  test("is no longer needed by one that checks all", () => {
    expect(kindOf("turbo.json", TURBO, { tasks: { ...TURBO.tasks, check: { dependsOn: ["lint"] } } })).toBe("weaker");
  });

  test("does nothing", () => {
    const idle = { targets: { ...PROJECT.targets, test: { executor: "nx:noop" } } };
    expect(kindOf("project.json", PROJECT, idle)).toBe("weaker");
  });

  test("may have another name, and others may come and go", () => {
    const { test: unit, ...tasks } = TURBO.tasks;
    expect(
      kindOf("turbo.json", TURBO, {
        tasks: { ...tasks, "test:unit": unit, check: { dependsOn: ["test:unit", "lint"] } },
      }),
    ).toBe("adds");
    expect(kindOf("turbo.json", { tasks: { ...TURBO.tasks, deploy: {} } }, TURBO)).toBe("adds");
    expect(kindOf("turbo.json", { pipeline: TURBO.tasks }, TURBO)).toBe("adds");
    expect(kindOf("turbo.json", TURBO, { tasks: { ...TURBO.tasks, test: {} } })).toBe("adds");
    expect(
      kindOf("project.json", PROJECT, { targets: { ...PROJECT.targets, test: { executor: "@nx/vitest:test" } } }),
    ).toBe("adds");
  });

  test("may be known to a plugin", () => {
    const plugin = {
      path: "nx.json",
      before: json({}),
      after: json({ plugins: [{ plugin: "@nx/vite/plugin", options: { testTargetName: "test" } }] }),
    };
    expect(kindOf("project.json", PROJECT, { targets: { build: PROJECT.targets.build } }, plugin)).toBe("adds");
  });
});
