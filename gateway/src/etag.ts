import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Returns the entity tag of a body, with its quotes. */
export const etagOf = (body: Buffer): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

/** Whether the client has the body with this tag already, so that 304 is enough. */
export const isCurrent = (req: IncomingMessage, etag: string): boolean =>
  req.headers["if-none-match"]?.includes(etag) ?? false;
