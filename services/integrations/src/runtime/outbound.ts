import type { IncomingMessage, ServerResponse } from "node:http";
import { withDeadline } from "@octavo/shared/deadline";
import { type Egress, EgressError } from "@octavo/shared/egress/client";
import { readUrl } from "@octavo/shared/read-url";

const MOST_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Requests of one process at a time. */
const AT_ONCE = 64;

/** What a script may not decide about a request, or that belongs to the connection alone. */
const DROPPED =
  /^(?:x-octavo-.*|x-internal-.*|cf-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|accept-encoding)$/;
const NOT_PASSED_ON =
  /^(?:x-octavo-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding)$/;

export interface OutboundOptions {
  egress: Egress;
  /** The base of the API as scripts receive it, and where it is reached from here. */
  apiEndpoint: string;
  gatewayUrl: string;
}

/**
 * Carries out the requests of scripts: to the interface itself, and by the egress client to public addresses. What is
 * refused fails in the script with the reason.
 */
export function createOutbound({ egress, apiEndpoint, gatewayUrl }: OutboundOptions) {
  let running = 0;

  return async function outbound(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const ended = new AbortController();
    res.once("close", () => ended.abort());
    if (running >= AT_ONCE) return refuse(res, `more than ${AT_ONCE} requests at a time`);
    running += 1;
    try {
      const body = await bodyOf(req);
      if (!body) return refuse(res, `the body is larger than ${MOST_BYTES} bytes`);
      await send(String(req.headers["x-octavo-url"]), req, res, body, ended.signal);
    } catch (error) {
      if (res.headersSent || res.destroyed) res.destroy();
      else refuse(res, error instanceof EgressError ? error.message : "the request failed");
    } finally {
      running -= 1;
    }
  };

  async function send(
    url: string,
    req: IncomingMessage,
    res: ServerResponse,
    body: Buffer,
    signal: AbortSignal,
  ) {
    const method = req.method ?? "GET";
    const headers = headersOf(req.headers, DROPPED);
    const hasBody = body.length > 0 && method !== "GET" && method !== "HEAD";
    const own = ownAddress(url);
    if (own) {
      const late = withDeadline(signal, TIMEOUT_MS);
      const response = await fetch(own, {
        method,
        headers,
        signal: late,
        redirect: "manual",
        body: hasBody ? new Uint8Array(body) : undefined,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      res
        .writeHead(response.status, headersOf(Object.fromEntries(response.headers), NOT_PASSED_ON))
        .end(bytes);
      return;
    }
    const response = await egress.fetch(url, {
      method,
      headers,
      signal,
      body: hasBody ? body : undefined,
      maxRedirects: 0,
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const bytes = await response.bytes();
    res.writeHead(response.status, headersOf(response.headers, NOT_PASSED_ON)).end(bytes);
  }

  /** Where a request to the interface goes; undefined for all other addresses. */
  function ownAddress(url: string): string | undefined {
    const base = new URL(`${apiEndpoint}/v1/`).href;
    const wanted = readUrl(url)?.href ?? "";
    return wanted.startsWith(base) ? `${gatewayUrl}/v1/${wanted.slice(base.length)}` : undefined;
  }
}

/** Lets the script know that its request failed. */
function refuse(res: ServerResponse, reason: string): void {
  res.writeHead(502, { "x-octavo-refused": encodeURIComponent(reason) }).end();
}

async function bodyOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(headers: NodeJS.Dict<string | string[]>, dropped: RegExp): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
