import { expect, test } from "bun:test";
import { connect } from "node:net";
import type { Access } from "../../../src/effects/ui/access.ts";
import { loopbackDoor } from "../../../src/effects/ui/door.ts";
import { serveUi } from "../../../src/effects/ui/server.ts";

test("a device that is revoked while it sends a change changes nothing", async () => {
  const admitted = Promise.withResolvers<void>();
  let isRevoked = false;
  const changes: string[] = [];
  const access: Access = {
    enter: () => ({ refused: "", hint: "" }),
    visitor() {
      admitted.resolve();
      return isRevoked ? null : { control: true, onGone: () => () => {} };
    },
    hint: "",
  };
  const server = await serveUi({
    door: loopbackDoor(0),
    files: {},
    access: () => access,
    routes: () => ({
      read: async () => null,
      change: async (path) => {
        changes.push(path);
        return { json: {} };
      },
      follow: () => null,
    }),
    errands: null,
  });
  const host = `127.0.0.1:${server.port}`;
  const head = ["POST /api/act HTTP/1.1", `Host: ${host}`, `Origin: http://${host}`, "Content-Length: 2", "", "{"];
  const socket = connect(server.port, "127.0.0.1", () => void socket.write(head.join("\r\n")));
  await admitted.promise;
  isRevoked = true;
  socket.write("}");
  const [first] = await Array.fromAsync(socket.take(1), String);
  server.close();
  expect([first?.split("\r\n")[0], changes]).toEqual(["HTTP/1.1 401 Unauthorized", []]);
});
