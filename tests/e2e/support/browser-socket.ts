/** The socket that a browser is driven by: numbered commands and their answers, and events. */
type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  /** An object in Chromium's protocol, a word in WebDriver BiDi, whose sentence stands beside it. */
  error?: { message: string } | string;
  message?: string;
};

export type BrowserSocket = {
  /** @throws Error in the browser's words if it refuses */
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): void;
};

/** @param onEvent called with the name of each event and what it says */
export async function openSocket(
  url: string,
  onEvent: (method: string, params: Record<string, unknown>) => void,
): Promise<BrowserSocket> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (message: Message) => void>();
  socket.onmessage = ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method !== undefined) onEvent(message.method, message.params ?? {});
  };
  let last = 0;
  return {
    async send(method, params = {}) {
      last += 1;
      const id = last;
      const { error, message, result } = await new Promise<Message>((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      });
      if (error !== undefined) throw new Error(`${method}: ${typeof error === "string" ? message : error.message}`);
      return result as Record<string, unknown>;
    },
    close: () => socket.close(),
  };
}
