import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The key of RALPH_SIGNING_KEY. @throws Error for anything but an Ed25519 key in PEM */
export function signingKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("RALPH_SIGNING_KEY is no Ed25519 key");
  return key;
}

/** The public key: 32 bytes in base64, as programs contain it. */
export function publicHalf(key: KeyObject): string {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
}

/** The public key in openssl's form. */
export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

/** Ed25519 signature, 64 bytes. */
export function signed(text: string, key: KeyObject): Buffer {
  return sign(null, Buffer.from(text), key);
}
