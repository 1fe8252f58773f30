import { createHash } from "node:crypto";
import { z } from "zod";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG picture as base64, of at most `bytes` bytes; read as its bytes. What is in it decides, not what it is called. */
export const png = (bytes: number) =>
  z
    .base64()
    .refine(
      (text) => Buffer.byteLength(text, "base64") <= bytes,
      `must be a picture of at most ${bytes} bytes`,
    )
    .refine((text) => isPng(Buffer.from(text, "base64")), "must be a PNG picture in base64");

/** Whether bytes begin as a PNG file does: its signature, then the header chunk with a size above 0. */
function isPng(bytes: Buffer): boolean {
  return (
    bytes.length >= 33 &&
    bytes.subarray(0, 8).equals(SIGNATURE) &&
    bytes.toString("latin1", 12, 16) === "IHDR" &&
    bytes.readUInt32BE(16) > 0 &&
    bytes.readUInt32BE(20) > 0
  );
}

export interface Asset {
  name: string;
  bytes: Buffer;
}

/** A picture under the name it is served by, which changes with its bytes. */
export function assetOf(kind: "icon" | "preview", base64: string): Asset {
  const bytes = Buffer.from(base64, "base64");
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return { name: `${kind}-${hash}.png`, bytes };
}
