import { expect, test } from "bun:test";
import { type Output, partsOf } from "../../../scripts/lib/build/parts.ts";

const importing = (...files: string[]): Output["imports"] => files.map((path) => ({ path, kind: "import-statement" }));

const outputs: Record<string, Output> = {
  "./main.js": {
    entryPoint: "main.ts",
    imports: [...importing("./shared.js"), { path: "./b.js", kind: "dynamic-import" }],
  },
  "./shared.js": { imports: importing("node:fs") },
  "./a.js": { entryPoint: "cli/a.ts", imports: importing("./deep.js") },
  "./deep.js": { imports: importing("./shared.js", "./deeper.js") },
  "./deeper.js": { imports: importing("./deep.js") },
  "./b.js": { entryPoint: "cli/b.ts", imports: importing("./only-b.js", "./shared.js") },
  "./only-b.js": { imports: [] },
};

test("a start needs the entry's imports, but not what import() loads", () => {
  expect(partsOf(outputs, "main.ts")).toEqual({
    startUp: ["shared.js"],
    later: ["a.js", "b.js", "deep.js", "deeper.js", "only-b.js"],
  });
});

test("a start needs a named module with all its imports, even circular ones", () => {
  expect(partsOf(outputs, "main.ts", ["cli/a.ts"])).toEqual({
    startUp: ["a.js", "deep.js", "deeper.js", "shared.js"],
    later: ["b.js", "only-b.js"],
  });
});

test("a module that no import() loads any more is an error, not a slow start", () => {
  expect(() => partsOf(outputs, "main.ts", ["cli/gone.ts"])).toThrow("cli/gone.ts is no part of its own");
});

test("a part that imports the entry is an error, since the entry has another name in the program", () => {
  const circle = { ...outputs, "./only-b.js": { imports: importing("./main.js") } };
  expect(() => partsOf(circle, "main.ts")).toThrow("only-b.js imports main.ts");
});
