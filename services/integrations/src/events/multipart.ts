import { randomBytes } from "node:crypto";

/** Fields as `multipart/form-data`: the raw body, and the content type that goes with it. */
export function multipart(fields: Record<string, string | Buffer>): { body: Buffer; contentType: string } {
  const boundary = `octavo-${randomBytes(18).toString("hex")}`;
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
  const end = Buffer.from(`--${boundary}--\r\n`);
  return {
    body: Buffer.concat([...parts, end]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
