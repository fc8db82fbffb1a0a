import { firstOf, type ProjectFiles } from "./files.ts";
import type { Stack } from "./stack.ts";

const MOST_MODULES = 30;

/** Detects a Maven or Gradle project. */
export function detectJvm(files: ProjectFiles): Stack | null {
  return detectMaven(files) ?? detectGradle(files);
}

function detectMaven(files: ProjectFiles): Stack | null {
  const pom = files.read("pom.xml");
  if (pom === null) return null;
  const mvn = files.exists("mvnw") ? "./mvnw" : "mvn";
  const own = pom.replace(/<(parent|dependencies|dependencyManagement|build|profiles)>[\s\S]*?<\/\1>/g, "");
  return {
    language: pom.includes("kotlin-maven-plugin") ? "kotlin" : "java",
    marker: "pom.xml",
    name: /<artifactId>\s*([^<\s]+)\s*<\/artifactId>/.exec(own)?.[1] ?? null,
    manager: "maven",
    commands: {
      install: null,
      build: `${mvn} -B package -DskipTests`,
      test: `${mvn} -B test`,
      run: /<module>/.test(pom) ? null : runOf(mvn, pom),
      lint: null,
    },
  };
}

/** The command that runs the program; null for a parent of modules, which is none. */
function runOf(mvn: string, pom: string): string | null {
  if (pom.includes("spring-boot")) return `${mvn} spring-boot:run`;
  return pom.includes("quarkus") ? `${mvn} quarkus:dev` : null;
}

function detectGradle(files: ProjectFiles): Stack | null {
  const marker = firstOf(files, ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"]);
  if (marker === null) return null;
  const settings = files.read("settings.gradle.kts") ?? files.read("settings.gradle") ?? "";
  const build = ["", ...gradleModules(settings).slice(0, MOST_MODULES)]
    .map((module) => buildFile(files, module))
    .join("\n");
  const gradle = files.exists("gradlew") ? "./gradlew" : "gradle";
  const isApplication =
    /\bid\s*\(?\s*["']application["']|^\s*application\s*$|apply plugin:\s*["']application["']/m.test(build);
  return {
    language: /kotlin\s*\(\s*["'](?:jvm|android|multiplatform)["']|org\.jetbrains\.kotlin/.test(build)
      ? "kotlin"
      : "java",
    marker,
    name: /rootProject\.name\s*=\s*["']([^"'\n]+)["']/.exec(settings)?.[1] ?? null,
    manager: "gradle",
    commands: {
      install: null,
      build: `${gradle} assemble`,
      test: `${gradle} test`,
      run: /org\.springframework\.boot/.test(build) ? `${gradle} bootRun` : isApplication ? `${gradle} run` : null,
      lint: null,
    },
  };
}

/** Folders of the modules that a Gradle settings file names with `include`, in their default places. */
function gradleModules(settings: string): string[] {
  return [...settings.matchAll(/\binclude\b\s*(?:\(([^)]*)\)|((?:[^\n(,]|,\s*)*))/g)]
    .flatMap(([, called = "", listed = ""]) =>
      [...`${called}${listed}`.matchAll(/["']:?([^"'\n]+)["']/g)].map(([, name = ""]) => name.replaceAll(":", "/")),
    )
    .filter((folder) => !folder.split("/").includes(".."));
}

function buildFile(files: ProjectFiles, folder: string): string {
  const at = folder === "" ? "" : `${folder}/`;
  return files.read(`${at}build.gradle.kts`) ?? files.read(`${at}build.gradle`) ?? "";
}
