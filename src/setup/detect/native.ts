import { filesMatching, type ProjectFiles } from "./files.ts";
import { commandWord, noCommands, type Stack } from "./stack.ts";

/** Languages whose build file decides nearly everything: one file identifies each, and one tool builds it. */
const DETECTORS = [detectSwift, detectDart, detectZig, detectCmake, detectMeson, detectHaskell, detectScala] as const;

/** Detects a project of Swift, Dart, Zig, CMake, Meson, Haskell or Scala. */
export function detectNative(files: ProjectFiles): Stack | null {
  for (const look of DETECTORS) {
    const stack = look(files);
    if (stack !== null) return stack;
  }
  return null;
}

function detectSwift(files: ProjectFiles): Stack | null {
  const text = files.read("Package.swift");
  if (text === null) return null;
  return {
    language: "swift",
    marker: "Package.swift",
    name: /\bPackage\s*\(\s*name:\s*"([^"\n]+)"/.exec(text)?.[1] ?? null,
    manager: "swiftpm",
    framework: /vapor\/vapor/.test(text) ? "Vapor" : null,
    commands: {
      ...noCommands(),
      build: "swift build",
      test: /\.testTarget\s*\(/.test(text) ? "swift test" : null,
      run: [...text.matchAll(/\.executableTarget\s*\(/g)].length === 1 ? "swift run" : null,
    },
  };
}

function detectDart(files: ProjectFiles): Stack | null {
  const text = files.read("pubspec.yaml");
  if (text === null) return null;
  const name = /^name:\s*["']?(\w+)/m.exec(text)?.[1] ?? null;
  const flutter = /^\s+sdk:\s*flutter\b/m.test(text);
  const tool = flutter ? "flutter" : "dart";
  const tested = /^\s+(?:flutter_test|test):/m.test(text);
  return {
    language: "dart",
    marker: "pubspec.yaml",
    name,
    manager: "pub",
    framework: flutter ? "Flutter" : null,
    commands: {
      install: `${tool} pub get`,
      build: null,
      test: tested ? `${tool} test` : null,
      run: flutter ? "flutter run" : name !== null && files.exists(`bin/${name}.dart`) ? "dart run" : null,
      lint: `${tool} analyze`,
    },
  };
}

function detectZig(files: ProjectFiles): Stack | null {
  const text = files.read("build.zig");
  if (text === null) return null;
  const step = (name: string) => (new RegExp(`\\.step\\(\\s*"${name}"`).test(text) ? `zig build ${name}` : null);
  return {
    language: "zig",
    marker: "build.zig",
    name: /\.name\s*=\s*(?:\.|"|\.@")(\w+)/.exec(files.read("build.zig.zon") ?? "")?.[1] ?? null,
    manager: "zig",
    framework: null,
    commands: { ...noCommands(), build: "zig build", test: step("test"), run: step("run"), lint: step("fmt") },
  };
}

const CONFIGURE = "cmake -S . -B build && cmake --build build";

function detectCmake(files: ProjectFiles): Stack | null {
  const text = files.read("CMakeLists.txt");
  if (text === null) return null;
  const [, name = null, languages = ""] = /\bproject\s*\(\s*([\w.+-]+)([^)]*)\)/i.exec(text) ?? [];
  const tested = /\b(?:enable_testing|add_test|gtest_discover_tests|catch_discover_tests)\s*\(|\binclude\s*\(\s*CTest/i;
  return {
    language: /\bC\b/.test(languages) && !/\bCXX\b/.test(languages) ? "c" : "cpp",
    marker: "CMakeLists.txt",
    name: commandWord(name),
    manager: "cmake",
    framework: null,
    commands: {
      ...noCommands(),
      build: CONFIGURE,
      test: tested.test(text) ? `${CONFIGURE} && ctest --test-dir build --output-on-failure` : null,
    },
  };
}

function detectMeson(files: ProjectFiles): Stack | null {
  const text = files.read("meson.build");
  if (text === null) return null;
  const [, name = null, language = ""] = /\bproject\s*\(\s*'([^'\n]+)'\s*,\s*\[?\s*'(\w+)'/.exec(text) ?? [];
  const build = "meson setup build && meson compile -C build";
  return {
    language: language === "cpp" ? "cpp" : language === "c" || language === "" ? "c" : language,
    marker: "meson.build",
    name,
    manager: "meson",
    framework: null,
    commands: {
      ...noCommands(),
      build,
      test: /\btest\s*\(|\bsubdir\s*\(\s*'tests?'/.test(text) ? `${build} && meson test -C build` : null,
    },
  };
}

function detectHaskell(files: ProjectFiles): Stack | null {
  const cabal = filesMatching(files, "", /\.cabal$/)[0] ?? null;
  const stack = files.exists("stack.yaml");
  const marker = stack ? "stack.yaml" : (cabal ?? (files.exists("cabal.project") ? "cabal.project" : null));
  if (marker === null) return null;
  return {
    language: "haskell",
    marker,
    name: cabal?.replace(/\.cabal$/, "") ?? null,
    manager: stack ? "stack" : "cabal",
    framework: null,
    commands: {
      ...noCommands(),
      build: stack ? "stack build" : "cabal build all",
      test: stack ? "stack test" : "cabal test all",
    },
  };
}

function detectScala(files: ProjectFiles): Stack | null {
  const text = files.read("build.sbt");
  if (text === null) return null;
  return {
    language: "scala",
    marker: "build.sbt",
    name: /\bname\s*:=\s*"([^"\n]+)"/.exec(text)?.[1] ?? null,
    manager: "sbt",
    framework: /"play"|PlayScala/.test(text) ? "Play" : null,
    commands: { ...noCommands(), build: "sbt compile", test: "sbt test", run: "sbt run" },
  };
}
