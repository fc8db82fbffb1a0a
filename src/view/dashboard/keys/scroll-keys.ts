import type { Key } from "../parse-keys.ts";
import type { OnScreen, Ui } from "../ui-state.ts";

/** How many rows a key moves down; null if it does not move. */
export function scrollOf(key: Key, { total, page }: Pick<OnScreen, "total" | "page">): number | null {
  switch (key.name === "text" ? key.text : key.name) {
    case "up":
    case "k":
      return -1;
    case "down":
    case "j":
      return 1;
    case "page_up":
      return 1 - page;
    case "page_down":
    case " ":
      return page - 1;
    case "home":
    case "g":
      return -total;
    case "end":
    case "G":
      return total;
    default:
      return null;
  }
}

/** Moves in the output, whose end is followed. */
export function scrolled(ui: Ui, by: number, { total, page }: OnScreen): Ui {
  const bottom = Math.max(Math.min(page, total), (ui.bottom ?? total) + by);
  return { ...ui, bottom: bottom >= total ? null : bottom };
}

/** Moves in a pane that begins at its top. */
export function scrolledFromTop(ui: Ui, by: number, { total, page }: OnScreen): Ui {
  return { ...ui, top: clamp(ui.top + by, 0, total - page) };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Moves the selection in the panel that has the keys. */
export function movedInPanel(ui: Ui, key: Key, on: OnScreen): Ui | null {
  const region = on.regions.find(({ panel }) => panel === ui.focus);
  const rows = { total: region?.total ?? 0, page: Math.max(2, region?.shown ?? 0) };
  const by = scrollOf(key, ui.focus === "main" ? on : rows);
  if (by === null) return null;
  switch (ui.focus) {
    case "main":
      return scrolled(ui, by, on);
    case "plan":
      return { ...ui, task: clamp(ui.task + by, 0, on.plan.length - 1), planTop: null };
    case "activity":
      return { ...ui, activityBelow: clamp(ui.activityBelow - by, 0, rows.total - 1) };
  }
}
