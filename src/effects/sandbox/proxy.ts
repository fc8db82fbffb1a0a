import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { openRunFolder } from "./run-folder.ts";

/** The way of a sandbox to the hosts of a list, for one run. */
export type HostProxy = {
  /** A unix socket. */
  socket: string;
  /** Variables that lead programs to it, which stands at this port inside. */
  env(port: number): Record<string, string>;
  close(): Promise<void>;
};

/**
 * Starts the filtering proxy of Anthropic's sandbox runtime, which nothing else here knows: it lets through hosts of the list,
 * and no name that leads to an address of this machine or its network. It is loaded only now. The runtime's own start would
 * leave processes and sockets behind where ralph is killed, so its parts are put together here.
 * @throws RalphError `environment` if it does not start
 */
export async function startProxy(hosts: readonly string[]): Promise<HostProxy> {
  const [{ createHttpProxyServer }, { matchesDomainPatternWithPort }, { createResolvedAddressGuard }, parents] =
    await Promise.all([
      import("@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js"),
      import("@anthropic-ai/sandbox-runtime/dist/sandbox/domain-pattern.js"),
      import("@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js"),
      import("@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js"),
    ]);
  const token = randomBytes(16).toString("hex");
  const guard = createResolvedAddressGuard({ allowedDomains: hosts });
  // The proxy that ralph's own environment names.
  const parentProxy = parents.resolveParentProxy();
  const server = createHttpProxyServer({
    filter: (port, host) => {
      if (!parents.isValidHost(host)) return false;
      const name = parents.canonicalizeHost(host) ?? host;
      return hosts.some((pattern) => matchesDomainPatternWithPort(name, port, pattern));
    },
    lookupFor: (port) => guard.lookupFor(port),
    ...(parentProxy === undefined ? {} : { parentProxy }),
    proxyAuthToken: token,
  });
  const folder = openRunFolder();
  const socket = join(folder.path, "proxy");
  await listen(server, socket);
  return {
    socket,
    env(port) {
      const http = `http://srt:${token}@127.0.0.1:${port}`;
      const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
      // Node's own fetch asks for no proxy unless it is told to.
      return { ...Object.fromEntries(names.map((name) => [name, http])), NODE_USE_ENV_PROXY: "1" };
    },
    close() {
      server.closeAllConnections();
      server.close();
      folder.remove();
      return Promise.resolve();
    },
  };
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new RalphError("environment", `The sandbox's way to the network does not open: ${cause.message}`, {
          hint: "Without a network: SANDBOX_ALLOW_DOMAINS=none",
          cause,
        }),
      ),
    );
    server.listen(socket, resolve);
  });
}
