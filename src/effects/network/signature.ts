import { createPublicKey, verify } from "node:crypto";

/**
 * Whether a text was signed with the private half of a key (Ed25519, RFC 8032).
 * @param publicKey 32 bytes in base64
 * @param signature 64 bytes in base64
 */
export function verifySignature(text: string, signature: string, publicKey: string): boolean {
  const x = Buffer.from(publicKey, "base64").toString("base64url");
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
  } catch {
    return false; // not a 32-byte key or not a 64-byte signature
  }
}
