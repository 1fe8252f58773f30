// What the addresses of a site say of its visitor is kept in cookies, and ended there.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "../assets/assets.js";
import type { Mount } from "../http/mounts.js";
import { redirect } from "../http/respond.js";
import {
  type CookieOwner,
  type Credentials,
  claimsCookie,
  cookiesFor,
  dropTokens,
  endedCookies,
} from "../http/visitor.js";
import type { Found, Place } from "../site/places.js";
import { sendNothing } from "./not-found.js";

interface Owned {
  mount: Mount;
  /** Whose cookies are set. */
  owner: CookieOwner;
}

/** Ends what the cookies of a site say of the visitor, and leads on; also where there is nothing to read without them. */
export async function signOut(
  req: IncomingMessage,
  res: ServerResponse,
  { mount, owner, assets }: Owned & { assets: Assets },
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
export async function keepTokens(
  res: ServerResponse,
  { mount, owner }: Owned,
  place: Place,
  credentials: Credentials,
): Promise<void> {
  dropTokens(mount.url);
  res.setHeader("set-cookie", cookiesFor(owner, cookiePathOf(mount, place), credentials));
  return redirect(res, addressIn(place, mount.url));
}

/** Keeps the claims of an address in a cookie: none where nothing counts of what the visitor says without proof. */
export function keepClaims(
  res: ServerResponse,
  { mount, owner }: Owned,
  place: Place,
  { kept }: Credentials,
): void {
  if (kept === undefined) return;
  const count = Object.keys(place.visitor.caller.claims?.unsigned ?? {}).length;
  if (kept === "" || count > 0)
    res.setHeader("set-cookie", claimsCookie(owner, cookiePathOf(mount, place), kept));
}

const cookiePathOf = ({ origin }: Mount, { siteBase }: Place): string => new URL(siteBase, origin).pathname;

/** Where visitors of a place find what is at a path below its root. */
const addressIn = ({ base, root }: Place, { pathname, search }: URL): string =>
  base + pathname.slice(root.length) + search;
