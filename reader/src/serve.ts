import type { IncomingMessage, ServerResponse } from "node:http";
import type { Drawing } from "./drawing/drawing.js";
import { ASSET_POLICY, FRAME_POLICY } from "./frame/policy.js";
import { ASSET, type Assets } from "./http/assets.js";
import type { Body } from "./http/body.js";
import type { Mount } from "./http/mounts.js";
import { acceptsPost, isCrossSite } from "./http/post-body.js";
import { redirect, respond } from "./http/respond.js";
import { afterSignOut } from "./http/sign-out.js";
import {
  type CookieOwner,
  claimsCookie,
  cookiesFor,
  dropTokens,
  endedCookies,
  type Proof,
  proofOf,
} from "./http/visitor.js";
import { hashIn, sendFile } from "./routes/files.js";
import { sendList } from "./routes/lists.js";
import { sendNothing } from "./routes/not-found.js";
import { preparePage, sendPage } from "./routes/page.js";
import { assetsBase, isPublic, type Keeps, requestAt } from "./routes/page-request.js";
import { handlePost, sendSpecial } from "./routes/special.js";
import type { Found, Place, Places } from "./site/places.js";

const FOREVER = "public, max-age=31536000, immutable";

/** What a request is served with. */
interface Reader extends Keeps {
  mount: Mount;
  /** Whose cookies are read and set. */
  owner: CookieOwner;
  assets: Assets;
  places: Places;
  drawing: Drawing;
  /** Reads the body of the request. */
  readBody: () => Promise<string | undefined>;
}

/**
 * Serves a request, in this order: files of our own, address, visitor, special paths, page. `again` believes nothing that
 * was said before of what is where.
 */
export async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  again = false,
): Promise<void> {
  const { mount, owner, places } = reader;
  const { pathname } = mount.url;
  if (refuseMethod(req, res, mount)) return;
  const asset = ASSET.exec(pathname);
  if (asset) return sendAsset(req, res, reader.assets, asset[1]!);
  const proof = proofOf(req, mount.url, owner);
  const next = afterSignOut(mount.url);
  if (next)
    return signOut(req, res, reader, next, await findPlace(reader, { ...mount, url: next }, proof, again));
  const isPost = req.method === "POST";
  const likely = mount.name === "" || isPost ? undefined : places.guess(mount, proof);
  if (likely) prepare(req, res, reader, likely).catch(() => undefined);
  const found = await findPlace(reader, mount, proof, again);
  if ("nothing" in found) return sendNothing(req, res, reader.assets);
  if ("elsewhere" in found) {
    if (!isPost) return redirect(res, found.elsewhere.redirect);
    res.writeHead(401, { "www-authenticate": "Bearer", "content-length": 0 }).end();
    return;
  }
  const { place } = found;
  if (proof.inAddress) return keepTokens(res, reader, place, proof);
  if (proof.preview === undefined) keepClaims(res, reader, place, proof);
  const request = await requestAt(req, res, reader, place, places.freshUntil(found));
  if (!request) {
    const target = respelled(place, mount.url);
    return target === undefined
      ? sendNothing(req, res, reader.assets.below(assetsBase(mount, place)))
      : redirect(res, target, { status: 308 });
  }
  if (!isPublic(request)) res.setHeader("x-robots-tag", "noindex");
  if (isPost) return handlePost(request, reader.readBody);
  const hash = hashIn(request.path);
  if (hash !== undefined) return sendFile(request, request.assets, hash);
  return sendSpecial(request, reader) ?? sendList(request, reader.bodies) ?? sendPage(request, reader);
}

/** Refuses what reads nothing and sends nothing that we take, and what another site made a browser send. */
function refuseMethod(req: IncomingMessage, res: ServerResponse, mount: Mount): boolean {
  const isPostPath = acceptsPost(mount.url.pathname);
  const isAllowed = isPostPath ? req.method === "POST" : req.method === "GET" || req.method === "HEAD";
  if (isAllowed && !(isPostPath && isCrossSite(req, mount))) return false;
  const allow = isPostPath ? "POST" : "GET, HEAD";
  res.writeHead(isAllowed ? 403 : 405, { allow, "content-length": 0 }).end();
  return true;
}

/** What is shown at a mount; nothing below no name at all. */
const findPlace = ({ places }: Reader, mount: Mount, proof: Proof, again: boolean): Promise<Found> =>
  mount.name === "" ? Promise.resolve({ nothing: true }) : places.at(mount, proof, again);

/** Ends what the cookies of a site say of the visitor, and leads on; also where there is nothing to read without them. */
async function signOut(
  req: IncomingMessage,
  res: ServerResponse,
  { mount, owner, assets }: Reader,
  next: URL,
  found: Found,
): Promise<void> {
  const { name, isOwnHost, base } = mount;
  const path = "place" in found ? cookiePathOf(mount, found.place) : isOwnHost ? "/" : `${base}${name}/`;
  res.setHeader("set-cookie", endedCookies(owner, path));
  if ("nothing" in found) return sendNothing(req, res, assets);
  if ("elsewhere" in found) return redirect(res, found.elsewhere.redirect);
  return redirect(res, addressIn(found.place, next));
}

/** Keeps the tokens of an address in cookies, and leads to the address without them. */
async function keepTokens(
  res: ServerResponse,
  { mount, owner }: Reader,
  place: Place,
  proof: Proof,
): Promise<void> {
  dropTokens(mount.url);
  res.setHeader("set-cookie", cookiesFor(owner, cookiePathOf(mount, place), proof));
  return redirect(res, addressIn(place, mount.url));
}

/** Keeps the claims of an address in a cookie: none where nothing counts of what the visitor says without proof. */
function keepClaims(res: ServerResponse, { mount, owner }: Reader, place: Place, { kept }: Proof): void {
  if (kept === undefined) return;
  const count = Object.keys(place.visitor.caller.claims?.unsigned ?? {}).length;
  if (kept === "" || count > 0)
    res.setHeader("set-cookie", claimsCookie(owner, cookiePathOf(mount, place), kept));
}

const cookiePathOf = ({ origin }: Mount, { siteBase }: Place): string => new URL(siteBase, origin).pathname;

/** Where visitors of a place find what is at a path below its root. */
const addressIn = ({ base, root }: Place, { pathname, search }: URL): string =>
  base + pathname.slice(root.length) + search;

/** Slashes of which some are encoded: where a page finds our own files depends on how many real ones its address has. */
const SLASHES = /(?:\/|%2f)+/gi;

/** What would lead out of a site. */
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The address that a path should have been written as: with the slash of the root, and no encoded ones below; undefined for
 * other paths.
 */
function respelled({ base, root }: Place, { pathname, search }: URL): string | undefined {
  if (`${pathname}/` === root) return base + search;
  const path = pathname.slice(root.length);
  const plain = path.replace(SLASHES, "/");
  const isOther = pathname.startsWith(root) && plain !== path && !DOTS.test(plain);
  return isOther ? base + plain + search : undefined;
}

/**
 * Draws what is likely at the address while sites is asked whether it is. Nothing is sent before sites confirms it:
 * what is drawn waits under a key that says all that it depends on.
 */
async function prepare(req: IncomingMessage, res: ServerResponse, reader: Reader, likely: Place) {
  const request = await requestAt(req, res, reader, likely, 0);
  if (request) await preparePage(request, reader.bodies);
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
