import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { refuse } from "@octavo/shared/errors";
import { othersTurn } from "@octavo/shared/workers/yield";
import type { Upstreams } from "./config.js";
import { etagOf, isCurrent } from "./etag.js";
import { exchangeOf, STANDING_HEADERS, setAll } from "./exchange.js";
import { type Document, mergeDocuments } from "./merge-documents.js";
import { OWN_DOCUMENT } from "./own-document.js";

interface Merged {
  /** The documents of the services that it was made of, as they were sent. */
  sources: string;
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

/** Serves the merged OpenAPI document of all services; an old one rather than none while a service is away. */
export function createReference(upstreams: Upstreams, version: string) {
  let merged: Merged | undefined;
  let merging: Promise<Merged> | undefined;

  async function merge(): Promise<Merged> {
    const names = Object.keys(upstreams);
    const texts = await Promise.all(Object.values(upstreams).map(readDocument));
    const sources = texts.join("\n");
    if (merged?.sources === sources) return { ...merged, at: Date.now() };
    const documents: Record<string, Document> = { gateway: structuredClone(OWN_DOCUMENT) };
    for (const [at, name] of names.entries()) {
      await othersTurn();
      documents[name] = JSON.parse(texts[at]!) as Document;
    }
    const document = await mergeDocuments({ ...INFO, version }, documents);
    await othersTurn();
    const text = Buffer.from(JSON.stringify(document));
    return { sources, text, packed: await compress(text), etag: etagOf(text), at: Date.now() };
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

  return async function sendReference(req: IncomingMessage, res: ServerResponse): Promise<void> {
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

async function readDocument(base: string): Promise<string> {
  const response = await fetch(new URL("/openapi.json", base), { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${base} has no document (${response.status})`);
  return response.text();
}
