import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Logger } from "@octavo/shared/log";
import express from "express";
import { answer, redirect } from "./answer.js";
import { type Assets, readAssets } from "./assets.js";
import { type Bodies, bodyOf, createBodies } from "./bodies.js";
import { plainHtml } from "./frame/plain.js";
import { words } from "./frame/words.js";
import { createPlaces, type Places } from "./places.js";
import { policyOf } from "./policy.js";
import { codeOf, isAway } from "./remembered.js";
import { HTML, PRIVATE, sendFile, sendList, sendNothing, sendPage } from "./send.js";
import { siteOf } from "./site.js";
import { spaceOf } from "./space.js";
import type { Upstreams } from "./upstreams.js";
import { cookieFor, proofOf } from "./visitor.js";

interface Options {
  upstreams: Upstreams;
  /** The address of all sites, without a slash at its end. */
  sites: string;
  log: Logger;
}

const FOREVER = "public, max-age=31536000, immutable";

/** The HTTP server of the sites that people read, not yet listening. */
export function createReader({ upstreams, sites, log }: Options): Server {
  const base = `${new URL(sites).pathname.replace(/\/+$/, "")}/`;
  const secure = sites.startsWith("https:");
  const assets = readAssets(base);
  const places = createPlaces(upstreams, sites);
  const bodies = createBodies();
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.get("/livez", (_req, res) => void res.json({ status: "ok" }));
  app.get("/readyz", (_req, res) => void res.json({ status: "ok", unready: [] }));
  const reader = { base, secure, assets, places, bodies };
  app.use((req: IncomingMessage, res: ServerResponse) => {
    serve(req, res, reader)
      // A token that ends before its time says that fewer people may see the site: the address may be theirs no more.
      .catch((error: unknown) => {
        if (codeOf(error) !== "UNAUTHORIZED" || res.headersSent) throw error;
        return serve(req, res, reader, true);
      })
      .catch((error: unknown) => sendFailure(req, res, assets, error, log));
  });
  return createServer(app);
}

interface Reader {
  base: string;
  secure: boolean;
  assets: Assets;
  places: Places;
  bodies: Bodies;
}

/** The order in which a request is looked at: files of our own, address, visitor, special paths, page. */
async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  again = false,
): Promise<void> {
  const { base, secure, assets, places, bodies } = reader;
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.writeHead(405, { allow: "GET, HEAD", "content-length": 0 }).end();
    return;
  }
  const url = new URL(req.url!, "http://reader.invalid");
  const { pathname } = url;
  if (pathname.startsWith(`${base}~octavo/assets/`)) return sendAsset(req, res, assets, pathname);
  const name = pathname.startsWith(base) ? (pathname.slice(base.length).split("/", 1)[0] ?? "") : "";
  const proof = proofOf(req, url, name);
  const found = name === "" ? ({ nothing: true } as const) : await places.at(pathname, proof, again);
  if ("nothing" in found) return sendNothing(req, res, assets);
  if ("elsewhere" in found) return redirect(res, found.elsewhere.redirect);
  const { place } = found;
  if (proof.inAddress) {
    url.searchParams.delete("jwt_token");
    res.setHeader("set-cookie", cookieFor(name, place.siteBase, proof.jwt!, secure));
    return redirect(res, pathname + url.search);
  }
  const path = decoded(pathname.slice(place.base.length));
  if (!pathname.startsWith(place.base) || path === undefined)
    return `${pathname}/` === place.base
      ? redirect(res, place.base + url.search, { status: 308 })
      : sendNothing(req, res, assets);
  const [site, space] = await Promise.all([siteOf(place), spaceOf(place)]);
  const shown = { req, res, place, site, space, path, query: url.search };
  const file = /^~octavo\/files\/([^/]+)\//.exec(path);
  if (file) return sendFile(shown, assets, file[1]!);
  return sendList(shown) ?? sendPage(shown, assets, bodies);
}

function decoded(path: string): string | undefined {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}

/** What cannot be shown: 404 for what is not there any more, else 503 while somebody is away. */
async function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  error: unknown,
  log: Logger,
): Promise<void> {
  if (res.headersSent) return void res.destroy();
  const code = codeOf(error);
  if (code === "NOT_FOUND" || code === "FORBIDDEN") return sendNothing(req, res, assets);
  log.error({ err: error, path: req.url?.split("?", 1)[0] }, "a page could not be shown");
  const status = isAway(error) || code === "UNAUTHORIZED" ? 503 : 500;
  const headers = { "content-security-policy": policyOf(), "retry-after": "5" };
  const text = plainHtml(assets, words.away, words.awayText);
  await answer(req, res, bodyOf(text, { status, type: HTML, headers }), PRIVATE);
}

function sendAsset(req: IncomingMessage, res: ServerResponse, assets: Assets, path: string): Promise<void> {
  const asset = assets.find(path.split("/").at(-1)!);
  if (!asset) return sendNothing(req, res, assets);
  const { type, body, brotli } = asset;
  const headers = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" };
  return answer(
    req,
    res,
    { status: 200, type, bytes: body, brotli, etag: `"${path.split(".").at(-2)}"`, headers },
    FOREVER,
  );
}
