import type { IncomingMessage } from "node:http";

const GZIP = /(?:^|,)\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?:1|0\.0*[1-9])[\d.]*\s*)?(?=,|$)/i;

/** Whether the client takes gzip. */
export const takesGzip = (req: IncomingMessage): boolean =>
  GZIP.test(String(req.headers["accept-encoding"] ?? ""));
