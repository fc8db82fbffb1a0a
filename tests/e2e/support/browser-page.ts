/** What tests ask of a page in a real browser, whichever it is. */
export type Page = {
  /** Loads an address completely. @returns the time it took, in ms */
  open(url: string): Promise<number>;
  /** Loads the page anew, completely. */
  reload(): Promise<void>;
  /** The value of an expression in the page, passed as JSON. */
  value<T>(expression: string): Promise<T>;
  /** Waits until an expression has a value: what a link or typed words bring comes in a task of its own. */
  becomes(expression: string, expected: unknown): Promise<void>;
  /** Presses the left mouse button in the middle of an element. */
  click(selector: string): Promise<void>;
  /** Presses it there, and keeps it pressed. */
  hold(selector: string): Promise<void>;
  /** Releases it where it is pressed. */
  letGo(): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /** Presses and releases a key, by the name that the page sees (`Tab`, `/`). */
  press(key: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Emulates a light or dark system, and the medium that the page is shown on. */
  prefer(scheme: "light" | "dark", media?: "screen" | "print"): Promise<void>;
  /** Lets the pages of an origin show notifications. */
  allowNotifications(origin: string): Promise<void>;
  /** Whether pages opened from now on may run their scripts. */
  scripts(run: boolean): Promise<void>;
  /** The page's complaints: errors, and requests that its policy refused. */
  complaints(): string[];
  /** Addresses that it requested, except its own file. */
  requests(): string[];
  close(): Promise<void>;
};

/** Waits until an expression has a value, by what reads one. */
export function becomesBy(value: Page["value"]): Page["becomes"] {
  return async (expression, expected) => {
    let found: unknown;
    for (const end = performance.now() + 60_000; performance.now() < end; await Bun.sleep(2)) {
      found = await value(expression);
      if (found === expected) return;
    }
    const page = await value<string>("document.body.innerText");
    throw new Error(`${expression} is still ${JSON.stringify(found)}, not ${JSON.stringify(expected)}, on:\n${page}`);
  };
}

/** The middle of an element, once it stands still: a jump may still be scrolling. */
export async function middleOf(value: Page["value"], selector: string): Promise<[x: number, y: number]> {
  const find = `(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: "center", behavior: "instant" }); const r = e.getBoundingClientRect(); return [r.x + Math.min(r.width, 400) / 2, r.y + r.height / 2]; })()`;
  let [x, y] = await value<[number, number]>(find);
  for (let before = ""; before !== `${x},${y}`; ) {
    before = `${x},${y}`;
    await Bun.sleep(60);
    [x, y] = await value<[number, number]>(find);
  }
  return [x, y];
}
