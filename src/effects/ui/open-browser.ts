import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import type { User } from "../user/home.ts";
import { uiFolder } from "./instance.ts";

/**
 * Opens an address in the user's browser, by way of a private file: every user of the machine reads the words of a process.
 * A browser that cannot be started is no error: the address stands in the terminal.
 * @returns takes the file away; to be called when the address was used
 */
export function openInBrowser(address: string, user: User): () => void {
  const folder = uiFolder(user);
  const file = join(folder, "open.html");
  makePrivateFolder(folder);
  writeFileAtomic(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${address}">\n`);
  const [program, ...words] = launcher(user.platform, pathToFileURL(file).href);
  const child = spawn(program, words, { stdio: "ignore", detached: true, windowsHide: true });
  child.on("error", () => rmSync(file, { force: true }));
  child.unref();
  return () => rmSync(file, { force: true });
}

function launcher(platform: NodeJS.Platform, url: string): [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
