import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openOutputFile } from "../../../src/effects/process/output-file.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("output");

test("an output is kept up to its limit, and then says that there was more", () => {
  const path = join(dir, "long.out");
  const file = openOutputFile(path, null, 2000);
  for (let chunk = 0; chunk < 100; chunk += 1) file.append(Buffer.from(`${"x".repeat(99)}\n`));
  expect(file.keptBytes()).toBe(2000);
  file.close();
  const end = "\n[ralph] There was more: of one output 2.0 kB are kept.\n";
  expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(99)}\n`.repeat(20) + end);
  const again = openOutputFile(path, null, 2000);
  again.append(Buffer.from("y"));
  again.close();
  expect(readFileSync(path, "utf8")).toEndWith(end);
});

test("an output of exactly the limit is whole", () => {
  const path = join(dir, "whole.out");
  const file = openOutputFile(path, null, 10);
  file.append(Buffer.from("0123456789"));
  expect(file.keptBytes()).toBeNull();
  file.close();
  expect(readFileSync(path, "utf8")).toBe("0123456789");
});
