import { afterAll, describe, expect, test } from "bun:test";
import { getFile, safeUrl } from "../../../src/effects/network/net.ts";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => {
    const { pathname } = new URL(url);
    switch (pathname) {
      case "/file":
        return new Response("content");
      case "/moved":
        return Response.redirect("/file", 302);
      case "/away":
        return new Response(null, { status: 302, headers: { location: "http://example.invalid/file" } });
      case "/round":
        return Response.redirect("/round", 302);
      case "/slow":
        return new Promise<Response>(() => {});
      default:
        return new Response("no", { status: 404 });
    }
  },
});
afterAll(() => server.stop(true));

const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const limits = { timeoutMs: 5_000, maxBytes: 1_000 };
const text = async (path: string) => new TextDecoder().decode((await getFile(at(path), limits)).bytes);

test("a file is downloaded completely, also through a redirect", async () => {
  expect(await text("/file")).toBe("content");
  expect(await text("/moved")).toBe("content");
});

describe("a download fails", () => {
  test.each([
    ["/nowhere", limits, "the server answered 404"],
    ["/round", limits, "more than 5 redirects"],
    ["/away", limits, "http://example.invalid/file is refused: only https is safe"],
    ["/file", { ...limits, maxBytes: 3 }, "longer than 3 bytes"],
    ["/slow", { ...limits, timeoutMs: 100 }, "no answer within 0.1 s"],
  ])("for %s with %p", async (path, bounds, why) => expect(getFile(at(path), bounds)).rejects.toThrow(why));

  test("for a connection that ends before the file does", async () => {
    const ends = (socket: { end(text: string): unknown }) =>
      void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning");
    const broken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: ends } });
    const address = `http://127.0.0.1:${broken.port}/latest.json`;
    try {
      await expect(getFile(address, limits)).rejects.toThrow(
        `${address} could not be downloaded: the connection broke off.`,
      );
    } finally {
      broken.stop(true);
    }
  });

  test("for a server that does not exist", async () =>
    expect(getFile("http://127.0.0.1:9/latest.json", limits)).rejects.toThrow(
      "http://127.0.0.1:9/latest.json could not be downloaded: no server answers there.",
    ));
});

describe("addresses like", () => {
  test.each(["https://example.com/a", "http://127.0.0.1:80/a", "http://localhost/a", "http://[::1]:1/a"])(
    "%s are allowed",
    (url) => expect(safeUrl(url).href).toBe(new URL(url).href),
  );
  test.each([
    "http://example.com/a",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "example.com",
  ])("%s are refused", (url) => expect(() => safeUrl(url)).toThrow());
});
