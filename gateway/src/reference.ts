import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { refuse } from "@octavo/shared/errors";
import type { Upstreams } from "./config.js";
import { etagOf, isCurrent } from "./etag.js";
import { exchangeOf, STANDING_HEADERS, setAll } from "./exchange.js";
import { type Document, mergeDocuments } from "./merge-documents.js";

interface Merged {
  text: Buffer;
  packed: Buffer;
  etag: string;
  at: number;
}

const FRESH_MS = 15_000;
const compress = promisify(gzip);

const INFO = {
  title: "Octavo",
  description: "A self-hosted platform for publishing documentation.",
  license: { name: "MIT", identifier: "MIT" },
};

/** What the gateway answers itself. */
const own: Document = {
  openapi: "3.1.0",
  info: {},
  paths: {
    "/": {
      get: {
        operationId: "getApiInformation",
        summary: "Version and build of this installation",
        tags: ["information"],
        security: [],
        responses: {
          "200": {
            description: "Success",
            content: { "application/json": { schema: { $ref: "#/components/schemas/ApiInformation" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      ApiInformation: {
        type: "object",
        required: ["version", "build"],
        properties: { version: { type: "string" }, build: { type: "string", format: "date-time" } },
      },
    },
  },
};

/** Serves the merged OpenAPI document of all services; an old one rather than none while a service is away. */
export function createReference(upstreams: Upstreams, version: string) {
  let merged: Merged | undefined;
  let merging: Promise<Merged> | undefined;

  async function merge(): Promise<Merged> {
    const read = Object.entries(upstreams).map(async ([service, base]) => [
      service,
      await readDocument(base),
    ]);
    const documents = Object.fromEntries(await Promise.all(read)) as Record<string, Document>;
    const text = Buffer.from(
      JSON.stringify(mergeDocuments({ ...INFO, version }, { gateway: own, ...documents })),
    );
    const etag = etagOf(text);
    return { text, packed: await compress(text), etag, at: Date.now() };
  }

  async function current(): Promise<Merged> {
    if (merged && Date.now() - merged.at < FRESH_MS) return merged;
    merging ??= merge().finally(() => {
      merging = undefined;
    });
    try {
      merged = await merging;
    } catch (cause) {
      if (!merged) refuse("SERVICE_UNAVAILABLE", "Reference: a service is not reachable", { cause });
    }
    return merged;
  }

  return async function answerReference(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { text, packed, etag } = await current();
    setAll(res, STANDING_HEADERS);
    setAll(res, exchangeOf(req).headers);
    res.setHeader("etag", etag);
    res.setHeader("cache-control", "no-cache");
    res.setHeader("vary", "accept-encoding");
    if (isCurrent(req, etag)) return void res.writeHead(304).end();
    const zipped = /\bgzip\b/.test(req.headers["accept-encoding"] ?? "");
    if (zipped) res.setHeader("content-encoding", "gzip");
    const body = zipped ? packed : text;
    res.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
    res.end(req.method === "HEAD" ? undefined : body);
  };
}

async function readDocument(base: string): Promise<Document> {
  const answer = await fetch(new URL("/openapi.json", base), { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${base} has no document (${answer.status})`);
  return (await answer.json()) as Document;
}
