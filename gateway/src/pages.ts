import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { etagOf, isCurrent } from "./etag.js";
import { exchangeOf, setAll } from "./exchange.js";

const FOLDER = new URL("../docs/", import.meta.url);
const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Everything from here, nothing inline, nothing elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** The reference page and its parts, by path; the files are read once, at the start. */
export function readPages(): Map<string[], Handler> {
  return new Map(
    readdirSync(FOLDER).map((file) => {
      const paths = file === "page.html" ? ["/docs", "/docs/"] : [`/docs/${file}`];
      return [paths, createPage(file)];
    }),
  );
}

function createPage(file: string): Handler {
  const body = readFileSync(new URL(file, FOLDER));
  const etag = etagOf(body);
  const headers = [
    ...[
      "content-security-policy",
      POLICY,
      "x-content-type-options",
      "nosniff",
      "referrer-policy",
      "no-referrer",
    ],
    ...["cross-origin-opener-policy", "same-origin", "cache-control", "no-cache", "etag", etag],
  ];

  return (req, res) => {
    setAll(res, headers);
    setAll(res, exchangeOf(req).headers);
    if (isCurrent(req, etag)) return void res.writeHead(304).end();
    res.writeHead(200, { "content-type": TYPES[file.split(".").at(-1)!], "content-length": body.length });
    res.end(req.method === "HEAD" ? undefined : body);
  };
}
