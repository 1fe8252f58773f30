import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Bucket } from "../storage/s3-client.js";

/** What goes wrong with the next request of a method: it is refused, or its connection breaks. */
type Fault = { method: string; how: "busy" | "break" };

/** A bucket that lives in memory, behind the S3 protocol. */
export interface S3Server extends Bucket {
  objects: Map<string, Buffer>;
  /** Method and path of all requests, in their order. */
  requests: string[];
  fail(fault: Fault): void;
  close(): Promise<void>;
}

const CLOCK_SKEW_MS = 15 * 60_000;

/**
 * A server that holds one bucket and speaks as much of S3 as objects need. It verifies signatures: each request must be
 * signed (version 4) over its method, path, headers and the hash of its body, as Amazon's own signer works it out.
 */
export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const faults: Fault[] = [];
  const requests: string[] = [];
  const account = {
    bucket: "octavo-files",
    region: "eu-test-1",
    accessKeyId: "AKIDOCTAVO",
    secretAccessKey: "a secret of the tests",
    pathStyle: true,
  };

  async function respond(req: IncomingMessage, res: ServerResponse) {
    requests.push(`${req.method} ${req.url}`);
    const at = faults.findIndex(({ method }) => method === req.method);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault?.how === "break") return void req.socket.destroy();
    const body = await bodyOf(req);
    if (fault) return fail(res, 503, "SlowDown");
    const reason = await refusalOf(req, body, account);
    if (reason) return fail(res, 403, reason);
    const [bucket, key] = placeOf(req);
    if (bucket !== account.bucket) return fail(res, 404, "NoSuchBucket");
    serve(req, res, key, body);
  }

  function serve(req: IncomingMessage, res: ServerResponse, key: string, body: Buffer) {
    if (req.method === "HEAD" && key === "") return void res.writeHead(200).end();
    if (req.method === "PUT") {
      if (req.headers["content-length"] === undefined) return fail(res, 411, "MissingContentLength");
      objects.set(key, body);
      return void res.writeHead(200, { etag: `"${key}"` }).end();
    }
    if (req.method === "DELETE") {
      objects.delete(key);
      return void res.writeHead(204).end();
    }
    const object = objects.get(key);
    if (!object) return fail(res, 404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? "") ?? [];
    const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
    res.writeHead(first === undefined ? 200 : 206, { "content-length": part.length });
    res.end(req.method === "HEAD" ? undefined : part);
  }

  const server = createServer((req, res) => {
    respond(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...account,
    endpoint,
    objects,
    requests,
    fail: (fault) => void faults.push(fault),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The bucket, which stands in the host or in the path, and the key. */
function placeOf(req: IncomingMessage): [bucket: string, key: string] {
  const path = decodeURIComponent(new URL(req.url!, "http://s3").pathname.slice(1));
  const inHost = /^([a-z0-9-]+)\.localhost:\d+$/.exec(req.headers.host!)?.[1];
  if (inHost) return [inHost, path];
  const [bucket = "", ...rest] = path.split("/");
  return [bucket, rest.join("/")];
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Why a request is not believed; undefined when its signature is the one that the account's secret gives. */
async function refusalOf(
  req: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: Omit<Bucket, "endpoint">,
): Promise<string | undefined> {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, key, scope, signed = "", signature] = parts.exec(req.headers.authorization ?? "") ?? [];
  if (key === undefined) return "AccessDenied";
  if (key !== accessKeyId) return "InvalidAccessKeyId";
  if (scope !== region) return "AuthorizationHeaderMalformed";
  const date = String(req.headers["x-amz-date"]);
  const signingDate = new Date(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(Date.now() - signingDate.getTime()) < CLOCK_SKEW_MS)) return "RequestTimeTooSkewed";
  const names = signed.split(";");
  if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => names.includes(name)))
    return "AccessDenied";
  const sha256 = createHash("sha256").update(body).digest("hex");
  if (req.headers["x-amz-content-sha256"] !== sha256) return "XAmzContentSHA256Mismatch";
  const { protocol, hostname, pathname } = new URL(req.url!, "http://s3");
  const headers = Object.fromEntries(names.map((name) => [name, String(req.headers[name])]));
  const request = { method: req.method!, protocol, hostname, path: pathname, query: {}, headers };
  const credentials = { accessKeyId, secretAccessKey };
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const again = await signer.sign(request, { signingDate });
  return again.headers.authorization?.endsWith(`Signature=${signature}`)
    ? undefined
    : "SignatureDoesNotMatch";
}

/** What the signer hashes with: SHA-256, or its HMAC when there is a secret. */
class Sha256 {
  readonly #hash;

  constructor(secret?: unknown) {
    this.#hash =
      secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }

  update(data: Uint8Array | string) {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function fail(res: ServerResponse, status: number, code: string) {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  res.writeHead(status, { "content-type": "application/xml" }).end(xml);
}
