/** The ways to the page of `ralph ui`: what each listens on, and by which names a browser may ask for it. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { URL } from "node:url";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { readRegularText } from "../files/regular-file.ts";

export type Door = {
  /** Name or address that it listens on. */
  readonly bind: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Whether browsers reach it by HTTPS, here or at a proxy: only then a cookie can be Secure. */
  readonly isSecure: boolean;
  /** Origin of the page for a browser that asked for this host; null where the server is not called so (DNS rebinding). */
  originAt(host: string, port: number): string | null;
  /** What to do where nothing can listen there. */
  readonly hint: string;
  /** The origin that is printed. */
  origin(port: number): string;
};

/** For a door to other machines: fixed, because a paired device keeps its key by the address with its port. */
export const FAR_PORT = 7543;
const LOOPBACK = "127.0.0.1";
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const FAR_HINT = "Take an address of this machine, or another port: --listen ADDRESS:PORT";

export function loopbackDoor(port: number): Door {
  return {
    bind: LOOPBACK,
    port,
    tls: null,
    isSecure: false,
    hint: "Take another with --port, or none for one that is free.",
    originAt(host, at) {
      const name = [LOOPBACK, "localhost"].find((own) => isAskedFor(own, at, host));
      return name === undefined ? null : `http://${name}${at === HTTP_PORT ? "" : `:${at}`}`;
    },
    origin: (at) => `http://${LOOPBACK}:${at}`,
  };
}

/** Whether a host is this name and port by plain HTTP, whose own port browsers leave away. */
function isAskedFor(name: string, port: number, host: string): boolean {
  return host === `${name}:${port}` || (port === HTTP_PORT && host === name);
}

/** How `--listen` and what belongs to it were given. */
export type FarWords = {
  listen: string;
  cert: string | undefined;
  key: string | undefined;
  trustProxy: string | undefined;
};

/**
 * The door to other machines: with a certificate, or behind something that encrypts for it.
 * @param now epoch ms
 * @throws RalphError `usage` for words that do not fit together or name nothing, `environment` for a file that cannot be used
 */
export function farDoor({ listen, cert, key, trustProxy }: FarWords, now: number): Door {
  const { bind, port } = listenAddress(listen);
  if (trustProxy !== undefined && cert === undefined && key === undefined)
    return proxyDoor(bind, port, originIn(trustProxy));
  if (cert !== undefined && key !== undefined && trustProxy === undefined) return tlsDoor(bind, port, cert, key, now);
  throw new RalphError(
    "usage",
    cert === undefined && key === undefined
      ? "--listen opens the page to other machines, so it has to be encrypted."
      : "--cert and --key belong together, and --trust-proxy is instead of them.",
    {
      hint: "Pass --cert FILE --key FILE; or, behind a tunnel or on a tailnet, the address there: --trust-proxy https://NAME",
    },
  );
}

/** @param word `ADDRESS`, `NAME:PORT`, `[IPV6]:PORT` @throws RalphError `usage` */
export function listenAddress(word: string): { bind: string; port: number } {
  if (isIPv6(word)) return { bind: word, port: FAR_PORT };
  const [, six, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(word) ?? [];
  const bind = six ?? name;
  const port = digits === undefined ? FAR_PORT : Number(digits);
  if (bind !== undefined && (six === undefined || isIPv6(six)) && port > 0 && port < 65_536) return { bind, port };
  throw new RalphError("usage", `${word} is no address to listen on.`, {
    hint: "Say an address or name of this machine, with a port if you like: --listen 192.168.1.5:8443",
  });
}

/** An exact origin: no path, no name and password. @throws RalphError `usage` */
function originIn(word: string): URL {
  const url = URL.canParse(word) ? new URL(word) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url;
  throw new RalphError("usage", `${word} is no address that a browser could open the page at.`, {
    hint: "Say scheme and name, and nothing behind them: --trust-proxy https://desk.example",
  });
}

/**
 * Plain HTTP for a proxy or tunnel. The origin is what the user says; no X-Forwarded header is believed, so none can be forged. A
 * proxy that asks for the address it was told instead of the browser's is answered too: no other name can be bound to that.
 */
function proxyDoor(bind: string, port: number, { origin, host, protocol }: URL): Door {
  return {
    bind,
    port,
    tls: null,
    isSecure: protocol === "https:",
    hint: FAR_HINT,
    originAt(given) {
      const asked = given.toLowerCase();
      return asked === host || isAskedFor(bracketed(bind), port, asked) ? origin : null;
    },
    origin: () => origin,
  };
}

/** @throws RalphError `environment` if the files are no pair, or the certificate is over or names no host */
function tlsDoor(bind: string, port: number, certFile: string, keyFile: string, now: number): Door {
  const [cert, key] = [textOf(certFile, "certificate"), textOf(keyFile, "key")];
  const read = certificateIn(cert, certFile);
  const isPair = ((): boolean => {
    try {
      return read.checkPrivateKey(createPrivateKey(key));
    } catch (cause) {
      throw new RalphError("environment", `${keyFile} is no private key that can be used: ${reasonOf(cause)}`, {
        hint: "It has to be PEM, without a passphrase.",
        cause,
      });
    }
  })();
  if (!isPair) throw new RalphError("environment", `${keyFile} is not the key of the certificate ${certFile}.`);
  if (Date.parse(read.validTo) < now)
    throw new RalphError("environment", `The certificate ${certFile} ended on ${read.validTo}.`, {
      hint: "Renew it, and start again.",
    });
  const names = namesOf(read.subjectAltName ?? "");
  const printed = covers(names, plain(bind)) ? plain(bind) : names.find(isWhole);
  if (printed === undefined)
    throw new RalphError("environment", `The certificate ${certFile} names no host that a browser could ask for.`, {
      hint: "It needs the name in its alternative names; or listen on a name that it covers: --listen NAME",
    });
  const suffix = (at: number) => (at === HTTPS_PORT ? "" : `:${at}`);
  return {
    bind,
    port,
    tls: { cert, key },
    isSecure: true,
    hint: FAR_HINT,
    originAt(host, at) {
      const [, name = "", digits] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
      if (Number(digits ?? HTTPS_PORT) !== at) return null;
      return covers(names, plain(name)) ? `https://${name}${suffix(at)}` : null;
    },
    origin: (at) => `https://${bracketed(printed)}${suffix(at)}`,
  };
}

function textOf(file: string, what: string): string {
  try {
    return readRegularText(file);
  } catch (cause) {
    throw new RalphError("environment", `The ${what} ${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function certificateIn(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new RalphError("environment", `${file} is no certificate: ${reasonOf(cause)}`, {
      hint: "It has to be PEM, the server's own certificate first.",
      cause,
    });
  }
}

/** Names and addresses of a certificate, in small letters. A quoted name could hold a comma, and so another name: then none counts. */
export function namesOf(alternativeNames: string): string[] {
  if (alternativeNames.includes('"')) return [];
  return alternativeNames.split(", ").flatMap((part) => {
    const [, kind, name = ""] = /^(DNS|IP Address):([\w.*:-]+)$/.exec(part) ?? [];
    if (kind === "IP Address") return isIP(name) === 0 ? [] : [plain(name)];
    return kind === "DNS" && /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/.test(name) ? [name.toLowerCase()] : [];
  });
}

/** Whether one of the names is this one; a `*` stands for one label of it. */
function covers(names: readonly string[], name: string): boolean {
  const above = isIP(name) === 0 ? name.replace(/^[^.]+\./, "*.") : name;
  return isWhole(name) && (names.includes(name) || names.includes(above));
}

function isWhole(name: string): boolean {
  return name !== "" && !name.includes("*");
}

/** An address as one text, however its zeros were written; a name in small letters. */
function plain(name: string): string {
  const bare = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return isIPv6(bare) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare;
}

function bracketed(name: string): string {
  return isIPv6(name) ? `[${plain(name)}]` : name.toLowerCase();
}
