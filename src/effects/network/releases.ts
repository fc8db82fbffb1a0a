import zlib from "node:zlib";
import { MINUTE_MS } from "../../core/durations.ts";
import { RalphError } from "../../core/errors.ts";
import { parseRelease, type Release, signaturePayload } from "../../core/release/release.ts";
import { sha256Of } from "../files/sha256.ts";
import { type FetchLimits, getFile } from "./net.ts";
import { verifySignature } from "./signature.ts";

const MAX_JSON_BYTES = 1_000_000;
const MAX_PROGRAM_BYTES = 500_000_000;
const DOWNLOAD_MS = 15 * MINUTE_MS;

/**
 * The newest release of a source.
 * @param source address of the folder that holds `latest.json`
 * @throws RalphError `environment` if it cannot be fetched; `usage` if the address is not safe
 */
export async function fetchRelease(source: string, limits: Omit<FetchLimits, "maxBytes">): Promise<Release> {
  const address = `${source.replace(/\/+$/, "")}/latest.json`;
  const { bytes } = await getFile(address, { ...limits, maxBytes: MAX_JSON_BYTES });
  const release = parseRelease(new TextDecoder().decode(bytes));
  if (release !== null) return release;
  throw new RalphError("environment", `${address} does not describe a release.`, {
    hint: "Check RALPH_UPDATE_URL if you have set it.",
  });
}

/**
 * The program of a release: downloads it, checks SHA-256 and signature, then unpacks it.
 * @param target selects one of the release's programs
 * @param publicKey 32 bytes in base64
 * @throws RalphError `environment` if any of that fails
 */
export async function fetchProgram(
  release: Release,
  { source, target, publicKey }: { source: string; target: string; publicKey: string },
): Promise<Uint8Array> {
  const asset = release.platforms[target];
  if (asset === undefined) throw bad(`Release ${release.version} has no program for ${target}.`);
  // All of it is in memory before its signature can be checked.
  if (asset.size > MAX_PROGRAM_BYTES)
    throw bad(`Release ${release.version} names a program of ${asset.size} bytes, which is no ralph.`);
  const url = URL.parse(asset.url, `${source.replace(/\/+$/, "")}/`)?.href ?? asset.url;
  const { bytes } = await getFile(url, { timeoutMs: DOWNLOAD_MS, maxBytes: asset.size });
  if (bytes.length !== asset.size) throw bad(`${url} is cut off: ${bytes.length} of ${asset.size} bytes came.`);
  if (sha256Of(bytes) !== asset.sha256) throw bad(`${url} does not have the checksum of the release.`);
  const text = signaturePayload({ version: release.version, target, sha256: asset.sha256 });
  if (asset.signature === null || !verifySignature(text, asset.signature, publicKey))
    throw bad(`${url} is not signed by the makers of this ralph.`);
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_PROGRAM_BYTES });
  } catch (cause) {
    throw bad(`${url} could not be unpacked.`, cause);
  }
}

function bad(message: string, cause?: unknown): RalphError {
  return new RalphError("environment", message, { hint: "Nothing was changed. Try again later.", cause });
}
