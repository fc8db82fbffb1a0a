import type { ProjectFiles } from "./files.ts";
import type { Stack } from "./stack.ts";
import { hasTable, tomlName, tomlTables } from "./toml.ts";

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
    name: tomlName(tables, "package"),
    manager: "cargo",
    commands: {
      install: null,
      build: `cargo build${all}`,
      test: `cargo test${all}`,
      run: runs ? "cargo run" : null,
      lint: `cargo clippy${all} -- -D warnings`,
    },
  };
}
