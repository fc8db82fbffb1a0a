import { SETTINGS } from "./settings/settings.ts";

/** What a reader calls the project: PROJECT_NAME, or its folder's name where nobody gave it one. */
export function projectName({ settings, project }: { settings: Record<string, unknown>; project: string }): string {
  const name = settings.PROJECT_NAME;
  const isGiven = typeof name === "string" && name !== SETTINGS.PROJECT_NAME.default;
  return isGiven ? name : (project.split(/[\\/]/).at(-1) ?? "");
}
