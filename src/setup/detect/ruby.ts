import { filesMatching, type ProjectFiles } from "./files.ts";
import type { Stack } from "./stack.ts";

/** Detects a Ruby project by its Gemfile or gemspec. */
export function detectRuby(files: ProjectFiles): Stack | null {
  const spec = filesMatching(files, "", /\.gemspec$/)[0] ?? null;
  const gemfile = files.read("Gemfile");
  if (gemfile === null && spec === null) return null;
  const text = `${gemfile ?? ""}\n${spec === null ? "" : (files.read(spec) ?? "")}`;
  const rails = /["']rails["']/.test(text);
  const rspec = /["']rspec(?:-rails)?["']/.test(text) || files.exists(".rspec");
  const test = rspec
    ? "bundle exec rspec"
    : rails && files.exists("bin/rails")
      ? "bin/rails test"
      : files.exists("Rakefile") && (files.exists("test") || files.exists("spec"))
        ? "bundle exec rake test"
        : null;
  return {
    language: "ruby",
    marker: gemfile === null ? (spec ?? "Gemfile") : "Gemfile",
    name: spec?.replace(/\.gemspec$/, "") ?? null,
    manager: "bundler",
    commands: {
      install: "bundle install",
      build: null,
      test,
      run:
        rails && files.exists("bin/rails")
          ? "bin/rails server"
          : files.exists("config.ru")
            ? "bundle exec rackup"
            : null,
      lint: /["']rubocop/.test(text) ? "bundle exec rubocop" : null,
    },
  };
}
