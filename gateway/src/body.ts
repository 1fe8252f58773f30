import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "@octavo/shared/errors";

const LINGER_MS = 5_000;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Whether the request carries a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/**
 * Refuses what no service reads: 413 by the announced length, 415 for another type than JSON (or a form, or anything,
 * where the route takes that), 400 for its framing.
 */
export function checkBody(
  req: IncomingMessage,
  limit: number,
  { form = false, anyType = false }: { form?: boolean; anyType?: boolean } = {},
): void {
  const { headers } = req;
  const transfer = headers["transfer-encoding"];
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked") {
    refuse("BAD_REQUEST", "Transfer-Encoding: only chunked is supported", { reason: "invalid_framing" });
  }
  if (Number(headers["content-length"] ?? 0) > limit) throw sizeRefusal(limit);
  if (req.method === "GET" || req.method === "HEAD" || req.method === "DELETE") return;
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    refuse("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding: is not supported", {
      reason: "unsupported_encoding",
    });
  }
  const type = headers["content-type"] ?? "";
  if (anyType) return;
  if (!JSON_TYPE.test(type) && !(form && FORM_TYPE.test(type))) {
    refuse("UNSUPPORTED_MEDIA_TYPE", "Content-Type: must be application/json");
  }
}

export const sizeRefusal = (limit: number) =>
  new Refusal("PAYLOAD_TOO_LARGE", `Body: is larger than ${limit} bytes`, { reason: "body_too_large" });

/**
 * After a response that came before the body's end: the rest is read and dropped, so that the client gets to
 * read the response instead of a reset. Who keeps sending is cut off.
 */
export function lingerAfter(req: IncomingMessage): void {
  if (req.complete) return;
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
  timer.unref();
  req.once("close", () => clearTimeout(timer));
}
