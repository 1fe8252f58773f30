import { createHmac } from "node:crypto";
import type { TraceLog } from "../schemas/event.js";
import type { Ctx } from "../trpc.js";

const TIMEOUT_MS = 10_000;

/** The response of an integration, and what its script logged where that is known. */
export interface IntegrationResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  logs?: Promise<TraceLog[]>;
}

/**
 * Sends a form to a development tunnel. It is signed twice over its raw body: by its HMAC alone, as today's clients
 * check it, and with the time, so that a recorded delivery cannot be sent again.
 */
export async function sendToTunnel(
  ctx: Ctx,
  url: string,
  { body, contentType }: { body: Buffer; contentType: string },
  secret: string,
): Promise<IntegrationResponse> {
  const time = Math.floor(ctx.clock().getTime() / 1000);
  const response = await ctx.egress.fetch(url, {
    method: "POST",
    headers: {
      "content-type": contentType,
      "x-integration-signature": hmac(secret, body),
      "x-octavo-signature": `t=${time},v1=${hmac(secret, `${time}.`, body)}`,
    },
    body,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 0,
    signal: ctx.signal,
  });
  // It is read to its end, for a script may still be at work on it.
  const { status, headers } = response;
  return { status, headers, body: await response.bytes().catch(() => Buffer.alloc(0)) };
}

/** HMAC-SHA256 in lower-case hex. */
export function hmac(secret: string, ...parts: (string | Buffer)[]): string {
  const sum = createHmac("sha256", secret);
  for (const part of parts) sum.update(part);
  return sum.digest("hex");
}
