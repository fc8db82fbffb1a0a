/** Takes over the terminal and shows a word; the key x throws, and e hands the terminal to a program: its arguments. */
import process from "node:process";
import { runBeside } from "../../../src/effects/terminal/run-beside.ts";
import { openScreen } from "../../../src/effects/terminal/screen.ts";

const screen = openScreen(
  { input: process.stdin, output: process.stdout },
  {
    onInput(text) {
      if (text === "x") throw new Error("the program broke");
      if (text === "q") screen.close();
      if (text === "e") void screen.lend(async () => void (await runBeside(process.argv.slice(2), process.env)));
      screen.draw([`typed ${text}`]);
    },
    onResize: () => screen.draw(["ready again"]),
  },
  () => 0,
);
screen.draw(["ready"]);
