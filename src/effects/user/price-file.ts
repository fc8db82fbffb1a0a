import { join } from "node:path";
import * as v from "valibot";
import { RalphError } from "../../core/errors.ts";
import { LIST_PRICES, type PriceTable } from "../../core/money/prices.ts";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { readRegularText } from "../files/regular-file.ts";
import { configFolder, type User } from "./home.ts";

const usd = v.pipe(v.number(), v.minValue(0));
const table = v.record(v.string(), v.strictObject({ input: usd, output: usd, cache_write: usd, cache_read: usd }));

/**
 * The list prices, and before them those of the user's `prices.json` in ralph's configuration folder.
 * @throws RalphError `config` for a file that cannot be read as prices
 */
export function readPrices(host: User): PriceTable {
  const file = join(configFolder(host), "prices.json");
  const text = readIfThere(file);
  return text === null ? LIST_PRICES : { ...LIST_PRICES, ...parse(file, text) };
}

function readIfThere(file: string): string | null {
  try {
    return readRegularText(file).replace(/^\uFEFF/, "");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw unusable(file, reasonOf(cause), cause);
  }
}

function parse(file: string, text: string): PriceTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unusable(file, (cause as Error).message, cause);
  }
  const read = v.safeParse(table, json);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw unusable(file, `${v.getDotPath(issue) ?? "the document"}: ${issue.message}`, issue);
}

function unusable(file: string, why: string, cause: unknown): RalphError {
  return new RalphError("config", `The prices in ${file} cannot be read: ${why}`, {
    hint: 'Write USD per million tokens: {"my-model": {"input": 1, "output": 5, "cache_write": 1.25, "cache_read": 0.1}}.',
    cause,
  });
}
