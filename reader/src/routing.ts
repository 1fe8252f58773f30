import type { IncomingMessage, ServerResponse } from "node:http";
import { ASSET, type Assets } from "./assets/assets.js";
import type { Drawing } from "./drawing/drawing.js";
import type { Mount } from "./http/mounts.js";
import { acceptsPost, isCrossSite } from "./http/post-body.js";
import { redirect } from "./http/respond.js";
import { afterSignOut } from "./http/sign-out.js";
import { type CookieOwner, type Credentials, credentialsOf } from "./http/visitor.js";
import { sendAsset } from "./routes/assets.js";
import { sendFile } from "./routes/files.js";
import { sendList } from "./routes/lists.js";
import { sendNothing } from "./routes/not-found.js";
import { preparePage, sendPage } from "./routes/page.js";
import { assetsBase, isPublic, type ReaderState, requestAt } from "./routes/page-request.js";
import { handlePost, sendSpecial } from "./routes/special.js";
import { keepClaims, keepTokens, signOut } from "./routes/visitor.js";
import { hashIn } from "./site/links.js";
import { type Elsewhere, type Found, normalizedAddress, type Place, type Places } from "./site/places.js";

/** What a request is served with. */
interface Reader extends ReaderState {
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
 * Leads a request to what responds to it, in this order: files of our own, address, visitor, special paths, page. `again`
 * believes nothing that was said before of what is where.
 */
export async function routeRequest(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  { again = false } = {},
): Promise<void> {
  const { mount, assets } = reader;
  if (refuseMethod(req, res, mount)) return;
  const asset = ASSET.exec(mount.url.pathname);
  if (asset) return sendAsset(req, res, assets, asset[1]!);
  const credentials = credentialsOf(req, mount.url, reader.owner);
  const find = (at: Mount) => findPlace(reader, at, credentials, again);
  const next = afterSignOut(mount.url);
  if (next) return signOut(req, res, reader, next, await find({ ...mount, url: next }));
  drawAhead(req, res, reader, credentials);
  const found = await find(mount);
  if ("nothing" in found) return sendNothing(req, res, assets);
  if ("elsewhere" in found) return leadElsewhere(req, res, found.elsewhere);
  const { place } = found;
  if (credentials.inAddress) return keepTokens(res, reader, place, credentials);
  if (credentials.preview === undefined) keepClaims(res, reader, place, credentials);
  return routeWithin(req, res, reader, place, reader.places.freshUntil(found));
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
const findPlace = (
  { places }: Reader,
  mount: Mount,
  credentials: Credentials,
  again: boolean,
): Promise<Found> =>
  mount.name === "" ? Promise.resolve({ nothing: true }) : places.at(mount, credentials, again);

/**
 * Draws what is likely at the address while sites is asked whether it is. Nothing is sent before sites confirms it:
 * what is drawn waits under a key that says all that it depends on.
 */
function drawAhead(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  credentials: Credentials,
): void {
  const { mount, places, bodies } = reader;
  const likely = mount.name === "" || req.method === "POST" ? undefined : places.guess(mount, credentials);
  if (!likely) return;
  requestAt(req, res, reader, likely, 0)
    .then((request) => request && preparePage(request, bodies))
    .catch(() => undefined);
}

/** Sends a browser where its visitor has to go first, and refuses a program. */
function leadElsewhere(req: IncomingMessage, res: ServerResponse, { redirect: target }: Elsewhere): void {
  if (req.method !== "POST") redirect(res, target);
  else res.writeHead(401, { "www-authenticate": "Bearer", "content-length": 0 }).end();
}

/** Leads to what lies at a path of a place, once it is known who asks. */
async function routeWithin(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  place: Place,
  freshUntil: number,
): Promise<void> {
  const { mount, assets, bodies, readBody } = reader;
  const request = await requestAt(req, res, reader, place, freshUntil);
  if (!request) {
    const target = normalizedAddress(place, mount.url);
    return target === undefined
      ? sendNothing(req, res, assets.below(assetsBase(mount, place)))
      : redirect(res, target, { status: 308 });
  }
  if (!isPublic(request)) res.setHeader("x-robots-tag", "noindex");
  if (req.method === "POST") return handlePost(request, readBody, reader);
  const hash = hashIn(request.path);
  if (hash !== undefined) return sendFile(request, request.assets, hash);
  return sendSpecial(request, reader) ?? sendList(request, bodies) ?? sendPage(request, reader);
}
