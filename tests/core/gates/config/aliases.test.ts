import { expect, test } from "bun:test";
import { compareGateFiles } from "../../../../src/core/gates/compare.ts";

const VITEST = "export default defineConfig({\n  resolve: { alias: { } },\n  test: {},\n});\n";
const kindOf = (aliases: string, list = false) =>
  compareGateFiles([
    {
      path: "vitest.config.ts",
      before: VITEST,
      after: VITEST.replace("{ } }", () => (list ? `[${aliases}] }` : `{ ${aliases} } }`)),
    },
  ]).kind;

test.each([
  ['"./cart": "./fake"'],
  ['"../src/cart": path.resolve(__dirname, "test/empty.ts")'],
  [String.raw`'^\\./cart$': '<rootDir>/test/mocks/cart.ts'`],
  [String.raw`"^\\.{1,2}/cart$": "<rootDir>/fake.js"`],
  ['"./cart": "./cart.fake.ts"'],
  ['"^@/(.*)$": "<rootDir>/mocks/$1"'],
  ['"@/*": "./test/fakes/*"'],
])("a stand-in is taken in place of a file: %s", (aliases) => {
  expect(kindOf(aliases)).toBe("weaker");
});

test.each([
  ['{ find: "./cart", replacement: "./fake" }'],
  [String.raw`{ find: /^\.\/cart$/, replacement: "./fake" }`],
  ['\n    {\n      find: "./cart",\n      replacement: "./fake",\n    },\n  '],
])("so it is in a list: %s", (aliases) => {
  expect(kindOf(aliases, true)).toBe("weaker");
});

test.each([
  ['"@": path.resolve(__dirname, "src"), "@/": "/src/", "~": "./app"'],
  ['"@/components": fileURLToPath(new URL("./src/components", import.meta.url))'],
  ['"server-only": "./test/stub.ts", vscode: "./test/mocks/vscode.ts", "^uuid$": "<rootDir>/test/fake-uuid.js"'],
  [String.raw`"^(\\.{1,2}/.*)\\.js$": "$1"`],
  [String.raw`"\\.(css|less)$": "identity-obj-proxy", "^@/(.*)\\.svg$": "<rootDir>/__mocks__/svg.js"`],
  ['"^@/(.*)$": "<rootDir>/src/$1", "^src/(.*)$": "<rootDir>/src/$1", "^@shop/core$": "<rootDir>/../core/src"'],
  ['"./runtimeConfig": "./runtimeConfig.browser"'],
  ['"../env": envFile'],
])("another name is no stand-in: %s", (aliases) => {
  expect(kindOf(aliases)).toBe("adds");
});

test("nor is it in a list", () => {
  expect(
    kindOf(String.raw`{ find: "@", replacement: "/src" }, { find: /^~\/(.*)$/, replacement: "/src/$1" }`, true),
  ).toBe("adds");
});
