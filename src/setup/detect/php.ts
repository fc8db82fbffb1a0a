import { asObject, asText, firstOf, type ProjectFiles, readObject } from "./files.ts";
import { frameworkOf, type Stack } from "./stack.ts";

const FRAMEWORKS = [
  ["laravel/framework", "Laravel"],
  ["symfony/framework-bundle", "Symfony"],
  ["slim/slim", "Slim"],
] as const;

/** A PHP project of Composer. */
export function detectPhp(files: ProjectFiles): Stack | null {
  if (!files.exists("composer.json")) return null;
  const manifest = readObject(files, "composer.json") ?? {};
  const needs = new Set(["require", "require-dev"].flatMap((key) => Object.keys(asObject(manifest[key]) ?? {})));
  const scripts = asObject(manifest.scripts) ?? {};
  const artisan = files.exists("artisan");
  return {
    language: "php",
    marker: "composer.json",
    name: asText(manifest.name),
    manager: "composer",
    framework: frameworkOf(needs, FRAMEWORKS),
    commands: {
      install: "composer install",
      build: null,
      test: scripts.test === undefined ? runnerOf(files, needs, artisan) : "composer test",
      run: artisan ? "php artisan serve" : null,
      lint: scripts.lint !== undefined ? "composer lint" : needs.has("laravel/pint") ? "vendor/bin/pint --test" : null,
    },
  };
}

function runnerOf(files: ProjectFiles, needs: ReadonlySet<string>, artisan: boolean): string | null {
  if (artisan) return "php artisan test";
  if (needs.has("pestphp/pest")) return "vendor/bin/pest";
  const configured = firstOf(files, ["phpunit.xml", "phpunit.xml.dist"]) !== null;
  return configured || needs.has("phpunit/phpunit") ? "vendor/bin/phpunit" : null;
}
