// Prints one line of as many MB as the argument says, then a short one.
import { writeSync } from "node:fs";
import process from "node:process";

const mega = Buffer.alloc(1024 * 1024, "x");
for (let count = Number(process.argv[2]); count > 0; count -= 1) write(mega);
write(Buffer.from("\nafter\n"));

function write(bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}
