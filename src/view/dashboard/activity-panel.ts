import { localClock } from "../../core/text/time-text.ts";
import { EVENT_MARKS } from "../text/marks.ts";
import type { Style } from "../text/style.ts";
import { fit } from "../text/text.ts";
import type { Activity } from "./activity.ts";
import { cell } from "./panel-layout.ts";

/**
 * The newest actions of the loop, oldest first.
 * @param below how many of them the user scrolled up over
 */
export function activityLines(
  activity: readonly Activity[],
  below: number,
  width: number,
  height: number,
  style: Style,
): string[] {
  const lines = activity.slice(activityStart(activity, below, height)).slice(0, height);
  return Array.from({ length: height }, (_, row) => {
    const entry = lines[row];
    if (entry === undefined) return "";
    const { mark, paint } = EVENT_MARKS[entry.tone];
    const text = fit(entry.text, Math.max(1, width - 11));
    return cell(
      `${style.dim(localClock(Date.parse(entry.at)))} ${style[paint](entry.mark ?? mark)} ${text}`,
      width,
    ).trimEnd();
  });
}

/** The first action on the screen. */
export function activityStart(activity: readonly Activity[], below: number, height: number): number {
  return Math.max(0, activity.length - height - below);
}
