/** Reads as the originals' dashboards do: polls a JSON file a number of times, and counts what it could not parse. */
import { existsSync, readFileSync } from "node:fs";

const [file = "", times = ""] = process.argv.slice(2);
let [reads, bad] = [0, 0];
while (reads < Number(times)) {
  if (!existsSync(file)) continue;
  reads += 1;
  try {
    JSON.parse(readFileSync(file, "utf8"));
  } catch {
    bad += 1;
  }
}
console.log(JSON.stringify({ reads, bad }));
