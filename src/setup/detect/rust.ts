import type { ProjectFiles } from "./files.ts";
import { frameworkOf, type Stack } from "./stack.ts";
import { hasTable, tomlKeys, tomlString, tomlTables } from "./toml.ts";

const FRAMEWORKS = [
  ["axum", "Axum"],
  ["actix-web", "Actix"],
  ["rocket", "Rocket"],
  ["bevy", "Bevy"],
  ["tauri", "Tauri"],
  ["clap", "clap"],
] as const;

/** Detects a Rust package or workspace. */
export function detectRust(files: ProjectFiles): Stack | null {
  const text = files.read("Cargo.toml");
  if (text === null) return null;
  const tables = tomlTables(text);
  const all = hasTable(tables, "workspace") ? " --workspace" : "";
  const runs = files.exists("src/main.rs") || hasTable(tables, "bin");
  return {
    language: "rust",
    marker: "Cargo.toml",
    name: tomlString(tables, "package", "name"),
    manager: "cargo",
    framework: frameworkOf(new Set(tomlKeys(tables, "dependencies")), FRAMEWORKS),
    commands: {
      install: null,
      build: `cargo build${all}`,
      test: `cargo test${all}`,
      run: runs ? "cargo run" : null,
      lint: `cargo clippy${all} -- -D warnings`,
    },
  };
}
