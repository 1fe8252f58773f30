import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { refuse } from "@octavo/shared/errors";
import { BASE } from "./draw-base.js";
import { etagOf, isCurrent } from "./etag.js";
import { exchangeOf, setAll } from "./exchange.js";

/** Files that are as somebody wrote them, and those that the build wrote: a page for each operation among them. */
const WRITTEN = new URL("../docs/", import.meta.url);
const BUILT = new URL("../dist/docs/", import.meta.url);
const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
};
const compress = promisify(gzip);

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** The reference and its parts, by path. `base` is the public address of the platform, which requests from a page go to. */
export function readPages(base: string): Map<string[], Handler> {
  const send = createSend(base);
  const built = readdirSync(BUILT).filter((file) => !file.endsWith(".html"));
  const files = [
    ...readdirSync(WRITTEN).map((file) => new URL(file, WRITTEN)),
    ...built.map((file) => new URL(file, BUILT)),
  ];
  const pages = new Map<string[], Handler>(
    files.map((file) => {
      const name = file.pathname.split("/").at(-1)!;
      const body = readFileSync(file);
      return [[`/docs/${name}`], (req, res) => send(req, res, body, name.split(".").at(-1)!)];
    }),
  );
  const sendPage = async (req: IncomingMessage, res: ServerResponse, name: string) => {
    const html = await readFile(new URL(`${name}.html`, BUILT), "utf8").catch(() => undefined);
    if (html === undefined) refuse("NOT_FOUND", "Path: not found");
    return send(req, res, Buffer.from(html.replaceAll(BASE, attribute(base))), "html");
  };
  pages.set(["/docs", "/docs/"], (req, res) => sendPage(req, res, "index"));
  // An id is a name and no path: express has decoded none of what it matches.
  pages.set(["/docs/:id"], (req, res) => {
    const name = /^\/docs\/([\w-]{1,100})(?:\?|$)/.exec(req.url!)?.[1];
    if (name === undefined) refuse("NOT_FOUND", "Path: not found");
    return sendPage(req, res, name);
  });
  return pages;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const attribute = (text: string): string =>
  text.replace(/\/+$/, "").replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

/** Sends a file of the reference: everything from here, nothing inline, requests to the platform alone. */
function createSend(base: string) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${new URL(base).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = [
    "content-security-policy",
    policy,
    "x-content-type-options",
    "nosniff",
    "referrer-policy",
    "no-referrer",
    "cross-origin-opener-policy",
    "same-origin",
    "cache-control",
    "no-cache",
    "vary",
    "accept-encoding",
  ];

  return async function send(req: IncomingMessage, res: ServerResponse, body: Buffer, kind: string) {
    const etag = etagOf(body);
    setAll(res, headers);
    setAll(res, exchangeOf(req).headers);
    res.setHeader("etag", etag);
    if (isCurrent(req, etag)) return void res.writeHead(304).end();
    const zipped = /\bgzip\b/.test(req.headers["accept-encoding"] ?? "");
    if (zipped) res.setHeader("content-encoding", "gzip");
    const sent = zipped ? await compress(body) : body;
    res.writeHead(200, { "content-type": TYPES[kind], "content-length": sent.length });
    res.end(req.method === "HEAD" ? undefined : sent);
  };
}
