import { SECOND_MS } from "../core/durations.ts";
import { RalphError } from "../core/errors.ts";
import { typedWord } from "../core/text/shell-words.ts";
import type { Driver } from "../driver.ts";
import { answerWithin } from "./answer-within.ts";
import { findDriverProblems } from "./check-driver.ts";
import { makeSafeDriver, PATIENCE_MS } from "./safe-driver.ts";

/** Loads a module by path and returns its exports (`effects/user/import-module.ts`). */
export type ImportModule = (file: string) => Promise<Readonly<Record<string, unknown>>>;

const LATE = "It awaits something that does not come: a driver is an object that is there at once.";

/**
 * The default export of a TypeScript or JavaScript file, as a driver. Loading runs the file, so it must be trusted.
 * @throws RalphError `config` that names the file and each member that is missing or has the wrong type
 */
export async function loadTs(file: string, importModule: ImportModule, patienceMs = PATIENCE_MS): Promise<Driver> {
  const late = () =>
    new RalphError("config", `The driver ${file} was not loaded in ${patienceMs / SECOND_MS} s.`, { hint: LATE });
  const exported = (await answerWithin(patienceMs, importModule(file), late)).default;
  const problems = findDriverProblems(exported);
  // A value without problems is a driver, as far as a check without running it can show.
  if (problems.length === 0) return makeSafeDriver(exported as Driver, file);
  const list = problems.map((problem) => `\n  - ${problem}`).join("");
  throw new RalphError("config", `${file} is not a driver:${list}`, {
    hint: `A whole one stands on the page docs/write-a-driver.md. Look again with: ralph drivers show ${typedWord(file)}`,
  });
}
