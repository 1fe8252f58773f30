import { createReadStream } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import aws4 from "aws4";

export interface Bucket {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket stands in the path of an address, and not in its host. */
  pathStyle: boolean;
}

interface S3Request {
  method: "HEAD" | "GET" | "PUT" | "DELETE";
  /** The object; the bucket itself when absent. */
  key?: string;
  headers?: Record<string, string | number>;
  /** What is sent: a file, and its SHA-256 in hex, which is signed, so that a server takes no other bytes. */
  body?: { path: string; size: number; sha256: string };
}

/** A response of the server that is no success. */
export class S3Error extends Error {
  readonly status: number;

  constructor({ method, key = "" }: S3Request, status: number, text: string) {
    super(`${method} ${key}: ${status} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ""}`.trim());
    this.name = "S3Error";
    this.status = status;
  }
}

const TRIES = 4;
const CONNECT_MS = 5_000;
/** Longer than this nothing moves only on a dead connection. */
const IDLE_MS = 60_000;
const MAX_ERROR = 16 * 1024;

/**
 * Sends signed requests (AWS Signature Version 4) to one bucket. What fails on the way, or because the server is busy or
 * broken, is tried again; all our requests may be. Returns a success, its body unread, and throws S3Error or what broke.
 */
export function s3Client(to: Bucket) {
  const { protocol, hostname, port, pathname } = new URL(to.endpoint);
  const { request: open, Agent } = protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const host = to.pathStyle ? hostname : `${to.bucket}.${hostname}`;
  const root = `${pathname.replace(/\/$/, "")}${to.pathStyle ? `/${to.bucket}` : ""}`;

  function exchange({ method, key = "", headers, body }: S3Request): Promise<IncomingMessage> {
    const { region, accessKeyId, secretAccessKey } = to;
    const signed = aws4.sign(
      {
        service: "s3",
        region,
        method,
        path: `${root}/${key}`,
        headers: {
          host: port ? `${host}:${port}` : host,
          ...headers,
          ...(body && { "content-length": body.size, "x-amz-content-sha256": body.sha256 }),
        },
      },
      { accessKeyId, secretAccessKey },
    );
    return new Promise((resolve, reject) => {
      const outgoing = open({ host, port, agent, method, path: signed.path, headers: signed.headers });
      const slow = setTimeout(() => outgoing.destroy(new Error("took too long to connect")), CONNECT_MS);
      const connected = () => clearTimeout(slow);
      outgoing.once("socket", (socket) =>
        socket.connecting ? socket.once("connect", connected) : connected(),
      );
      outgoing.setTimeout(IDLE_MS, () => outgoing.destroy(new Error("stopped moving")));
      outgoing.once("response", resolve);
      outgoing.once("close", connected);
      outgoing.on("error", reject);
      if (!body) return void outgoing.end();
      const file = createReadStream(body.path);
      file.on("error", (error) => outgoing.destroy(error));
      outgoing.once("close", () => file.destroy());
      file.pipe(outgoing);
    });
  }

  async function once(request: S3Request): Promise<IncomingMessage> {
    const response = await exchange(request);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw new S3Error(request, status, await beginningOf(response));
  }

  return async function send(request: S3Request): Promise<IncomingMessage> {
    for (let tries = 1; ; tries++) {
      try {
        return await once(request);
      } catch (error) {
        if (tries === TRIES || !isPassing(error)) throw error;
        await sleep(Math.random() * 100 * 2 ** tries);
      }
    }
  };
}

/** The server is busy, broken or not reached; that may be otherwise in a moment. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof S3Error) || error.status === 429 || error.status >= 500;
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    if (text.length > MAX_ERROR) break;
  }
  return text;
}
