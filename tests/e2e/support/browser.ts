/** A real headless Chromium, driven by its own protocol: no driver program, no package. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./harness.ts";

/** Debian's path; other systems may have it on PATH. */
export const chromium =
  ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find((path) => path !== null) ??
  null;

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

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
};

/** Starts a browser with one page. @param more flags of the browser */
export async function openPage(...more: string[]): Promise<Page> {
  if (chromium === null) throw new Error("there is no Chromium");
  const profile = mkdtempSync(join(tmpdir(), "ralph-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1200,900"];
  const child = Bun.spawn(
    [chromium, ...flags, ...more, `--user-data-dir=${profile}`, "--remote-debugging-port=0", "about:blank"],
    { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  const portFile = join(profile, "DevToolsActivePort");
  const portOf = (): string => {
    try {
      return readFileSync(portFile, "utf8").split("\n")[0] ?? "";
    } catch {
      return "";
    }
  };
  await until("a browser that listens", () => portOf() !== "");
  const listed = await fetch(`http://127.0.0.1:${portOf()}/json`);
  const targets: { type: string; webSocketDebuggerUrl: string }[] = JSON.parse(await listed.text());
  const socket = new WebSocket(targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });

  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = () => {};
  socket.onmessage = ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") loaded();
    if (message.method === "Runtime.exceptionThrown" || message.method === "Log.entryAdded")
      complaints.push(JSON.stringify(message.params));
    if (message.method === "Network.requestWillBeSent")
      requests.push((message.params as { request: { url: string } }).request.url);
  };
  let last = 0;
  const send = async (method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    last += 1;
    const id = last;
    const answer = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as Record<string, unknown>;
  };
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`);

  const value = async <T>(expression: string): Promise<T> => {
    const answer = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(`${expression}: ${JSON.stringify(answer.exceptionDetails)}`);
    return (answer.result as { value: T }).value;
  };
  return {
    async open(url) {
      const began = performance.now();
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send("Page.navigate", { url });
      await done;
      return performance.now() - began;
    },
    async reload() {
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send("Page.reload");
      await done;
    },
    value,
    async becomes(expression, expected) {
      let found: unknown;
      for (const end = performance.now() + 10_000; performance.now() < end; await Bun.sleep(2)) {
        found = await value(expression);
        if (found === expected) return;
      }
      throw new Error(`${expression} is still ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    },
    async click(selector) {
      const find = `(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: "center", behavior: "instant" }); const r = e.getBoundingClientRect(); return [r.x + Math.min(r.width, 400) / 2, r.y + r.height / 2]; })()`;
      // A jump may still be scrolling: the place counts once it is the same some frames later.
      let [x, y] = await value<[number, number]>(find);
      for (let before = ""; before !== `${x},${y}`; ) {
        before = `${x},${y}`;
        await Bun.sleep(60);
        [x, y] = await value<[number, number]>(find);
      }
      for (const type of ["mousePressed", "mouseReleased"])
        await send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    },
    async press(key) {
      const code = { Tab: 9, Enter: 13, Escape: 27, Delete: 46 }[key] ?? key.charCodeAt(0);
      const text = key === "Enter" ? "\r" : key.length === 1 ? key : "";
      const of = { key, windowsVirtualKeyCode: code, ...(text === "" ? {} : { text }) };
      for (const type of ["keyDown", "keyUp"]) await send("Input.dispatchKeyEvent", { type, ...of });
    },
    resize: async (width, height) =>
      void (await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false })),
    type: async (text) => void (await send("Input.insertText", { text })),
    prefer: async (scheme, media = "screen") => {
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await send("Emulation.setEmulatedMedia", { media, features });
    },
    allowNotifications: async (origin) =>
      void (await send("Browser.grantPermissions", { origin, permissions: ["notifications"] })),
    scripts: async (run) => void (await send("Emulation.setScriptExecutionDisabled", { value: !run })),
    complaints: () => complaints,
    requests: () => requests.filter((url) => !url.startsWith("file:")),
    async close() {
      socket.close();
      child.kill("SIGKILL");
      await child.exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
