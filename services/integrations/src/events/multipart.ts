import { randomBytes } from "node:crypto";

/** Text fields as `multipart/form-data`: the raw body, and the content type that goes with it. */
export function multipart(fields: Record<string, string>): { body: Buffer; contentType: string } {
  const boundary = `octavo-${randomBytes(18).toString("hex")}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${parts.join("")}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
