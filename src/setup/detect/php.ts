import { asObject, asText, firstOf, type ProjectFiles, readObject } from "./files.ts";
import type { Stack } from "./stack.ts";

/** Package names of project templates, which users rarely change. */
const SKELETONS = new Set(["laravel/laravel", "symfony/skeleton", "symfony/website-skeleton", "slim/slim-skeleton"]);

/** Detects a PHP project of Composer. */
export function detectPhp(files: ProjectFiles): Stack | null {
  if (!files.exists("composer.json")) return null;
  const manifest = readObject(files, "composer.json") ?? {};
  const needs = new Set(["require", "require-dev"].flatMap((key) => Object.keys(asObject(manifest[key]) ?? {})));
  const scripts = asObject(manifest.scripts) ?? {};
  const name = asText(manifest.name);
  const artisan = files.exists("artisan");
  return {
    language: "php",
    marker: "composer.json",
    name: SKELETONS.has(name ?? "") ? null : name,
    manager: "composer",
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
  if (needs.has("symfony/phpunit-bridge") && files.exists("bin/phpunit")) return "php bin/phpunit";
  const configured = firstOf(files, ["phpunit.xml", "phpunit.xml.dist"]) !== null;
  return configured || needs.has("phpunit/phpunit") ? "vendor/bin/phpunit" : null;
}
