/**
 * `hang-up-program.ts keys|screen [closed|listens]`: reads a terminal's keys from stdin, or has stopped reading them, until
 * it ends.
 */
import process from "node:process";
import { openKeys } from "../../../src/effects/terminal/key-input.ts";
import { openScreen } from "../../../src/effects/terminal/screen.ts";

const [, , what, how] = process.argv;
const input = Object.assign(process.stdin, { setRawMode: () => process.stdin });
const output = process.stdout;
const opened =
  what === "keys"
    ? openKeys({ input, output }, { pendingMs: () => 0 })
    : openScreen({ input, output }, { onInput: () => {}, onResize: () => {} }, () => 0);
if (how === "closed") opened.close();
if (how === "listens") process.on("SIGHUP", () => process.exit(129));
// Keeps the program alive: only the end of its input may end it.
const staying = setInterval(() => {}, 1000);
input.once("end", () => setImmediate(() => clearInterval(staying)));
input.resume();
