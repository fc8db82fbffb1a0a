import { filesMatching, type ProjectFiles } from "./files.ts";
import { type Commands, noCommands, type Stack } from "./stack.ts";

/** A command, with what the build file must hold for it. */
type Rule = string | readonly [command: string, needs: RegExp];

/** A language whose build file decides nearly everything. */
type Kind = {
  language: string;
  marker: string;
  manager: string;
  /** Finds the project's name in the build file. */
  name: RegExp;
  commands: Partial<Readonly<Record<keyof Commands, Rule>>>;
};

const CMAKE = "cmake -S . -B build && cmake --build build";
const CMAKE_TESTS =
  /\b(?:enable_testing|add_test|gtest_discover_tests|catch_discover_tests)\s*\(|\binclude\s*\(\s*CTest/i;
const MESON = "meson setup build && meson compile -C build";

const KINDS: readonly Kind[] = [
  {
    language: "swift",
    marker: "Package.swift",
    manager: "swiftpm",
    name: /\bPackage\s*\(\s*name:\s*"([^"\n]+)"/,
    commands: {
      build: "swift build",
      test: ["swift test", /\.testTarget\s*\(/],
      // With several programs, `swift run` needs the name of one.
      run: ["swift run", /^(?:(?!\.executableTarget)[\s\S])*\.executableTarget\s*\((?![\s\S]*\.executableTarget)/],
    },
  },
  {
    language: "dart",
    marker: "pubspec.yaml",
    manager: "pub",
    name: /^name:\s*["']?(\w+)/m,
    commands: { install: "dart pub get", test: ["dart test", /^\s+(?:flutter_test|test):/m], lint: "dart analyze" },
  },
  {
    language: "zig",
    marker: "build.zig",
    manager: "zig",
    name: /\.name\s*=\s*(?:\.|"|\.@")(\w+)/,
    commands: {
      build: "zig build",
      test: ["zig build test", /\.step\(\s*"test"/],
      run: ["zig build run", /\.step\(\s*"run"/],
    },
  },
  {
    language: "cpp",
    marker: "CMakeLists.txt",
    manager: "cmake",
    name: /\bproject\s*\(\s*([\w.+-]+)/i,
    commands: { build: CMAKE, test: [`${CMAKE} && ctest --test-dir build --output-on-failure`, CMAKE_TESTS] },
  },
  {
    language: "cpp",
    marker: "meson.build",
    manager: "meson",
    name: /\bproject\s*\(\s*'([^'\n]+)'/,
    commands: { build: MESON, test: [`${MESON} && meson test -C build`, /\btest\s*\(|\bsubdir\s*\(\s*'tests?'/] },
  },
  {
    language: "scala",
    marker: "build.sbt",
    manager: "sbt",
    name: /\bname\s*:=\s*"([^"\n]+)"/,
    commands: { build: "sbt compile", test: "sbt test", run: "sbt run" },
  },
  {
    language: "haskell",
    marker: "stack.yaml",
    manager: "stack",
    name: /(?!)/,
    commands: { build: "stack build", test: "stack test" },
  },
];

/** Detects a project of Swift, Dart, Zig, CMake, Meson, Scala or Haskell. */
export function detectNative(files: ProjectFiles): Stack | null {
  const kind = KINDS.find(({ marker }) => files.exists(marker));
  if (kind === undefined) return detectCabal(files);
  const text = files.read(kind.marker) ?? "";
  const isFlutter = kind.language === "dart" && /^\s+sdk:\s*flutter\b/m.test(text);
  const given = Object.entries(kind.commands).flatMap(([use, rule]) => {
    const [command, needs] = typeof rule === "string" ? [rule, null] : rule;
    if (needs?.test(text) === false) return [];
    return [[use, isFlutter ? command.replace("dart", "flutter") : command] as const];
  });
  return {
    ...kind,
    name: kind.name.exec(`${text}\n${files.read(`${kind.marker}.zon`) ?? ""}`)?.[1] ?? null,
    commands: { ...noCommands(), ...Object.fromEntries(given) },
  };
}

function detectCabal(files: ProjectFiles): Stack | null {
  const [marker] = filesMatching(files, "", /\.cabal$/);
  if (marker === undefined) return null;
  const commands = { ...noCommands(), build: "cabal build all", test: "cabal test all" };
  const name = marker.replace(/\.cabal$/, "");
  return { language: "haskell", marker, name, manager: "cabal", commands };
}
