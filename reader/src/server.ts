import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Logger } from "@octavo/shared/log";
import { createBodyCache } from "./cache/body-cache.js";
import { createRecentResponses } from "./cache/recent-responses.js";
import { codeOf, isGone, isUnavailable } from "./cache/upstream-cache.js";
import type { Drawing } from "./drawing/drawing.js";
import { plainHtml } from "./frame/plain.js";
import { ASSET_POLICY, FRAME_POLICY, policyOf } from "./frame/policy.js";
import { ASSET, type Assets, readAssets } from "./http/assets.js";
import { type Body, bodyOf } from "./http/body.js";
import { type Mount, mountOf } from "./http/mounts.js";
import { acceptsPost, bodyReader, isCrossSite } from "./http/post-body.js";
import { redirect, respond } from "./http/respond.js";
import { afterSignOut } from "./http/sign-out.js";
import { claimsCookie, cookiesFor, dropTokens, endedCookies, proofOf } from "./http/visitor.js";
import { createPrerender } from "./pages/prerender.js";
import { customizationLinksOf } from "./pages/variants.js";
import { hashIn, sendFile } from "./routes/files.js";
import {
  HTML,
  type Keeps,
  type PageRequest,
  PRIVATE,
  preparePage,
  sendList,
  sendNothing,
  sendPage,
} from "./routes/send.js";
import { handlePost, sendSpecial } from "./routes/special.js";
import { hasPage } from "./site/find.js";
import { createOptionalParts } from "./site/optional-parts.js";
import { createPlaces, decodedPath, isReadElsewhere, type Place, type Places } from "./site/places.js";
import { siteOf } from "./site/site.js";
import { spaceOf } from "./site/space.js";
import type { Upstreams } from "./site/upstreams.js";
import { wordsFor } from "./words/index.js";

interface Options {
  upstreams: Upstreams;
  /** The address of all sites, without a slash at its end. */
  sites: string;
  drawing: Drawing;
  log: Logger;
}

const FOREVER = "public, max-age=31536000, immutable";

/** The HTTP server of the sites that people read, not yet listening. */
export function createReader({ upstreams, sites, drawing, log }: Options): Server {
  const address = new URL(sites);
  const assets = readAssets();
  const places = createPlaces(upstreams, async (place, path) => hasPage(await spaceOf(place), path));
  const bodies = createBodyCache();
  const recent = createRecentResponses();
  const prerender = createPrerender();
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (isHealthCheck(req)) return sendHealth(res);
    const mount = mountOf(address, req.url!);
    const assetsHere = assets.below(mount.base);
    const reader = {
      mount,
      secure: address.protocol === "https:",
      assets: assetsHere,
      places,
      bodies,
      recent,
      prerender,
      drawing,
      readBody: bodyReader(req),
    };
    await serve(req, res, reader)
      // A token that ends before its time says that fewer people may see the site: the address may be theirs no more.
      .catch((error: unknown) => {
        if (codeOf(error) !== "UNAUTHORIZED" || res.headersSent) throw error;
        return serve(req, res, reader, true);
      })
      .catch((error: unknown) => sendFailure(req, res, assetsHere, error, log));
  }

  return createServer((req, res) => {
    if (recent.send(req, res)) return;
    handle(req, res).catch((error: unknown) => {
      log.error({ err: error }, "a request could not be read");
      res.destroy();
    });
  });
}

/** Whether somebody asks if the process is alive, and ready: it is both as long as it responds. */
export const isHealthCheck = ({ method, url = "" }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && /^\/(?:livez|readyz)(?:\?|$)/.test(url);

function sendHealth(res: ServerResponse): void {
  const text = JSON.stringify({ status: "ok", unready: [] });
  const length = Buffer.byteLength(text);
  res.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": length });
  res.end(res.req.method === "HEAD" ? undefined : text);
}

interface Reader extends Keeps {
  mount: Mount;
  secure: boolean;
  assets: Assets;
  places: Places;
  drawing: Drawing;
  /** Reads the body of the request. */
  readBody: () => Promise<string | undefined>;
}

/** The order in which a request is looked at: files of our own, address, visitor, special paths, page. */
async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  again = false,
): Promise<void> {
  const { mount, secure, places } = reader;
  const { name, isOwnHost } = mount;
  const { pathname } = mount.url;
  const isPostPath = acceptsPost(pathname);
  const isPost = isPostPath && req.method === "POST";
  if (isPost ? isCrossSite(req, mount) : isPostPath || (req.method !== "GET" && req.method !== "HEAD")) {
    const allow = isPostPath ? "POST" : "GET, HEAD";
    res.writeHead(isPost ? 403 : 405, { allow, "content-length": 0 }).end();
    return;
  }
  const asset = ASSET.exec(pathname);
  if (asset) return sendAsset(req, res, reader.assets, asset[1]!);
  const owner = { name, isOwnHost, secure };
  const proof = proofOf(req, mount.url, owner);
  const next = afterSignOut(mount.url);
  const likely = name === "" || isPost || next ? undefined : places.guess(mount, proof);
  if (likely) prepare(req, res, reader, likely).catch(() => undefined);
  const found =
    name === ""
      ? ({ nothing: true } as const)
      : await places.at(next ? { ...mount, url: next } : mount, proof, again);
  const ended = next && endedCookies(owner, isOwnHost ? "/" : `${mount.base}${name}/`);
  if (ended && !("place" in found)) res.setHeader("set-cookie", ended);
  if ("nothing" in found) return sendNothing(req, res, reader.assets);
  if ("elsewhere" in found && isPost) {
    res.writeHead(401, { "www-authenticate": "Bearer", "content-length": 0 }).end();
    return;
  }
  if ("elsewhere" in found) return redirect(res, found.elsewhere.redirect);
  const { place } = found;
  const assets = reader.assets.below(assetsBase(mount, place));
  const { pathname: cookiePath } = new URL(place.siteBase, mount.origin);
  if (next) {
    res.setHeader("set-cookie", endedCookies(owner, cookiePath));
    return redirect(res, place.base + next.pathname.slice(place.root.length) + next.search);
  }
  if (proof.inAddress) {
    dropTokens(mount.url);
    res.setHeader("set-cookie", cookiesFor(owner, cookiePath, proof));
    return redirect(res, place.base + pathname.slice(place.root.length) + mount.url.search);
  }
  if (proof.kept !== undefined && proof.preview === undefined && isWorthKeeping(proof.kept, place))
    res.setHeader("set-cookie", claimsCookie(owner, cookiePath, proof.kept));
  const request = await requestAt(req, res, reader, place, places.freshUntil(found));
  if (!request)
    return `${pathname}/` === place.root
      ? redirect(res, place.base + mount.url.search, { status: 308 })
      : sendNothing(req, res, assets);
  if (isPost) return handlePost(request, reader.readBody);
  const hash = hashIn(request.path);
  if (hash !== undefined) return sendFile(request, assets, hash);
  return sendSpecial(request, reader.bodies) ?? sendList(request) ?? sendPage(request, reader);
}

/** Whether claims of an address are kept: none are where nothing counts of what the visitor says without proof. */
const isWorthKeeping = (kept: string, { visitor }: Place): boolean =>
  kept === "" || Object.keys(visitor.caller.claims?.unsigned ?? {}).length > 0;

/** What a page at the address is made of; undefined when the path is not one of the place. */
async function requestAt(
  req: IncomingMessage,
  res: ServerResponse,
  { mount, assets, drawing }: Reader,
  place: Place,
  freshUntil: number,
): Promise<PageRequest | undefined> {
  const { pathname, search: query } = mount.url;
  const path = decodedPath(pathname.slice(place.root.length));
  if (!pathname.startsWith(place.root) || path === undefined) return undefined;
  const [site, space] = await Promise.all([siteOf(place), spaceOf(place)]);
  const parts = createOptionalParts();
  const customizationLinks = await customizationLinksOf({ place, site, space, parts });
  const files = assets.below(assetsBase(mount, place));
  return {
    req,
    res,
    freshUntil,
    place,
    site,
    space,
    assets: files,
    drawing,
    customizationLinks,
    parts,
    path,
    query,
  };
}

/**
 * Draws what is likely at the address while sites is asked whether it is. Nothing is sent before sites confirms it:
 * what is drawn waits under a key that says all that it depends on.
 */
async function prepare(req: IncomingMessage, res: ServerResponse, reader: Reader, likely: Place) {
  const request = await requestAt(req, res, reader, likely, 0);
  if (request) await preparePage(request, reader.bodies);
}

/**
 * Where pages find files of our own: below what is on the same host. On another host, which forwards a path of its own to
 * a site, that is the site itself, so they are named from where the page is.
 */
function assetsBase({ base, url }: Mount, place: Place): string {
  if (!isReadElsewhere(place)) return base;
  return "../".repeat(url.pathname.slice(place.siteRoot.length).split("/").length - 1) || "./";
}

/** What cannot be shown: 404 for what is not there any more, else 503 while somebody is away. */
async function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  error: unknown,
  log: Logger,
): Promise<void> {
  if (res.destroyed && !res.headersSent) return;
  const code = codeOf(error);
  if (isGone(error) && !res.headersSent) return sendNothing(req, res, assets);
  log.error({ err: error, path: req.url?.split("?", 1)[0] }, "a page could not be shown");
  if (res.headersSent) return void res.destroy();
  const status = isUnavailable(error) || code === "UNAUTHORIZED" ? 503 : 500;
  const headers = { "content-security-policy": policyOf(), "retry-after": "5" };
  const { language, words } = wordsFor(req.headers["accept-language"]);
  const text = plainHtml(assets, language, words.away, words.awayText);
  await respond(req, res, bodyOf(text, { status, type: HTML, headers }), PRIVATE);
}

async function sendAsset(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  name: string,
): Promise<void> {
  const asset = assets.find(name);
  if (!asset) return sendNothing(req, res, assets);
  const { type, length, body } = asset;
  const headers = { "content-security-policy": type.startsWith("text/html") ? FRAME_POLICY : ASSET_POLICY };
  const etag = `"${name.split(".").at(-2)}"`;
  const sent: Body = {
    status: 200,
    type,
    length,
    bytes: body,
    brotli: asset.brotli,
    etag,
    headers,
  };
  await respond(req, res, sent, FOREVER);
  // What was compressed for the first one is kept for all others.
  asset.brotli = sent.brotli;
}
