import { jsonIn } from "../../core/json-value.ts";
import { readRegularText } from "./regular-file.ts";

/** The value in a JSON file of ralph's own; undefined if the file is missing, cannot be read or holds no JSON. */
export function readJson(path: string): unknown {
  try {
    return jsonIn(readRegularText(path));
  } catch {
    return undefined;
  }
}
