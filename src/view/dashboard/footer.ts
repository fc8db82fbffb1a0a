import type { Style } from "../style.ts";
import { columns, oneLine } from "../text.ts";
import { clip } from "./layout.ts";
import type { Dashboard } from "./model.ts";
import type { Ui } from "./ui.ts";

export type FooterInput = {
  dashboard: Dashboard;
  ui: Ui;
  alive: boolean;
  readOnly: string | null;
  message: string | null;
  width: number;
  style: Style;
};

/** The last line: what is being typed or asked, else a message, else the keys that mean something now. */
export function footer({ dashboard, ui, alive, readOnly, message, width, style }: FooterInput): string {
  if (ui.entry !== null) return entryLine(ui.entry, width, style);
  if (ui.mode === "abort")
    return clip(style.yellow("End the agent now, in the middle of its work?  y yes · any other key no"), width);
  if (message !== null) return clip(style.yellow(oneLine(message)), width);
  const { stop_requested, paused, settings } = dashboard.state;
  const steering: [string, string][] =
    !alive || readOnly !== null
      ? []
      : [
          ["p", paused ? "go on" : "pause"],
          stop_requested === null ? ["s", "stop"] : ["w", "withdraw the stop"],
          ["a", "abort"],
          ...(typeof settings.MAX_ITERATIONS === "number" ? [["+", "one more"] satisfies [string, string]] : []),
          ["t", "tell"],
        ];
  const looking: [string, string][] = [
    ["/", "filter"],
    ["d", "detail"],
    ["enter", "iterations"],
  ];
  const always: [string, string][] = [
    ["?", "help"],
    ["q", "leave"],
  ];
  const word = readOnly !== null && alive ? style.dim("read-only · ") : "";
  return word + keysThatFit([...steering, ...looking], always, width - columns(word), style);
}

function entryLine({ purpose, text }: NonNullable<Ui["entry"]>, width: number, style: Style): string {
  const label = purpose === "filter" ? "filter: " : "tell the agent: ";
  const shown = oneLine(`.${text}`).slice(1) + (/\s$/.test(text) ? " " : "");
  const room = Math.max(1, width - label.length - 1);
  const end = columns(shown) > room ? [...shown].slice(-Math.floor(room / 2)).join("") : shown;
  return clip(`${style.cyan(label)}${end}▏`, width);
}

/** As many keys as fit; the last two always. */
function keysThatFit(
  some: readonly [string, string][],
  always: readonly [string, string][],
  width: number,
  style: Style,
): string {
  const show = ([key, does]: readonly [string, string]) => `${style.cyan(key)} ${style.dim(does)}`;
  const join = (keys: readonly (readonly [string, string])[]) => keys.map(show).join("  ");
  for (let n = some.length; n > 0; n -= 1) {
    const line = join([...some.slice(0, n), ...always]);
    if (columns(line) <= width) return line;
  }
  return clip(join(always), width);
}
