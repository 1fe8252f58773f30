import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Claims, claimsIn, jsonOf, objectIn, publicClaims, withClaims } from "./claims.js";
import type { Mount } from "./mounts.js";

const NAME = "octavo-visitor";
const PREVIEW_NAME = "octavo-preview";
const CLAIMS_NAME = "octavo-claims";
/** The cookie in which an application of the same domain says who the visitor is. */
const SHARED_COOKIE = "gitbook-visitor-token";
const MAX_TOKEN_LENGTH = 4_096;
/** Characters of the token of a preview that fit into a cookie with its name. */
const MAX_PREVIEW_LENGTH = 4_000;
/** Seconds that a preview lasts at most. */
const PREVIEW_SECONDS = 3_600;
/** What tokens consist of: nothing that ends the value of a cookie. */
const TOKEN = /^[\w-]+(?:\.[\w-]*)+$/;

/** The parameters of an address that hold tokens, which nobody else is to see. */
const PARAMETERS = { preview: "preview_token", jwt: "jwt_token" } as const;

/** What a visitor proves by tokens, and what is claimed beside it: a token of the address comes before that of the cookie. */
export interface Credentials {
  jwt: string | undefined;
  /** The token of a preview, which stands for a JWT and for claims until it is over. */
  preview?: string;
  /** The token stands in the address, from where it is to go. */
  inAddress: boolean;
  /** The address brings a JWT while a cookie keeps a preview, which would stand for it. */
  endsPreview?: boolean;
  /** What is claimed without proof. */
  claims?: Claims;
  /** What of this stands in the address or was kept from one, as JSON; empty where the address takes all of it back. */
  kept?: string;
}

/** Whose cookie keeps what a visitor proved. */
export interface CookieOwner extends Pick<Mount, "name" | "isOwnHost"> {
  /** Whether the site is shown by https alone. */
  secure: boolean;
}

/**
 * Reads what a visitor proves with a request: in its address, as a bearer, which programs send, or by a cookie; and what is
 * claimed besides. A cookie of ours belongs to one site, whose name is part of its own, and comes before one that an
 * application of the same domain set.
 */
export function credentialsOf(req: IncomingMessage, url: URL, owner: CookieOwner): Credentials {
  const cookies = cookiesOf(req);
  return { ...tokenOf(req, url, cookies, owner), ...claimsOf(url, cookies, owner) };
}

function tokenOf(req: IncomingMessage, url: URL, cookies: Cookies, owner: CookieOwner): Credentials {
  const preview = url.searchParams.get(PARAMETERS.preview);
  if (isToken(preview, MAX_PREVIEW_LENGTH)) return { jwt: undefined, preview, inAddress: true };
  const given = url.searchParams.get(PARAMETERS.jwt);
  const endsPreview = cookies.has(cookieName(owner, PREVIEW_NAME));
  if (isToken(given)) return { jwt: given, inAddress: true, ...(endsPreview && { endsPreview }) };
  const bearer = /^bearer (\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (isToken(bearer)) return { jwt: bearer, inAddress: false };
  const [shown, kept] = [PREVIEW_NAME, NAME].map((kind) => cookies.get(cookieName(owner, kind)));
  const jwt = [kept, cookies.get(SHARED_COOKIE)].find((one) => isToken(one));
  return { jwt, ...(isToken(shown, MAX_PREVIEW_LENGTH) && { preview: shown }), inAddress: false };
}

/** Takes the tokens out of an address. */
export function dropTokens({ searchParams }: URL): void {
  for (const name of Object.values(PARAMETERS)) searchParams.delete(name);
}

/** What the address claims comes before what an earlier one did, and that before the cookies that others set. */
function claimsOf(url: URL, cookies: Cookies, owner: CookieOwner): Pick<Credentials, "claims" | "kept"> {
  const given = claimsIn(url.searchParams);
  const cookie = Buffer.from(cookies.get(cookieName(owner, CLAIMS_NAME)) ?? "", "base64url").toString();
  const known = objectIn(cookie) ?? {};
  const changed = withClaims(known, given);
  // Too much does not count: what was kept before stays.
  const fits = JSON.stringify(changed) === "{}" || jsonOf(changed) !== undefined;
  const kept = fits ? changed : known;
  const own = Object.entries(kept).map(([name, one]): [string[], unknown] => [[name], one]);
  const json = jsonOf(withClaims(publicClaims(cookies), own)) ?? jsonOf(kept);
  return {
    ...(json !== undefined && { claims: JSON.parse(json) as Claims }),
    ...(given.length > 0 && fits && { kept: jsonOf(kept) ?? "" }),
  };
}

type Cookies = ReadonlyMap<string, string>;

function cookiesOf({ headers }: IncomingMessage): Cookies {
  const cookies = new Map<string, string>();
  for (const part of (headers.cookie ?? "").split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim();
    // Of several with one name, that of the longest path comes first.
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/** What distinguishes visitors who may be shown different things, in few characters; undefined of who brings nothing. */
export function visitorKey({ jwt, preview, claims, kept }: Credentials): string | undefined {
  if ([jwt, preview, claims, kept].every((one) => one === undefined)) return undefined;
  const parts = JSON.stringify([jwt, preview, claims, kept !== undefined]);
  return createHash("sha256").update(parts).digest("base64url");
}

const isToken = (text: string | null | undefined, longest = MAX_TOKEN_LENGTH): text is string =>
  text != null && text.length <= longest && TOKEN.test(text);

/**
 * The cookies that keep the token of an address for the pages of one site, unreadable to scripts: a JWT until the browser
 * ends, a preview for an hour. On a host that is the site's own, no other host can have set it, not even one of the same
 * domain (`__Host-`).
 */
export function cookiesFor(
  owner: CookieOwner,
  path: string,
  { jwt, preview, endsPreview }: Credentials,
): string[] {
  const lasting = (token: string, seconds: number) =>
    `${cookie(owner, path, PREVIEW_NAME, token)}; Max-Age=${seconds}`;
  if (preview !== undefined) return [lasting(preview, PREVIEW_SECONDS)];
  return [cookie(owner, path, NAME, jwt!), ...(endsPreview ? [lasting("", 0)] : [])];
}

/** The cookies that end all that a site keeps of a visitor. */
export const endedCookies = (owner: CookieOwner, path: string): string[] =>
  [NAME, PREVIEW_NAME, CLAIMS_NAME].map((name) => `${cookie(owner, path, name, "")}; Max-Age=0`);

/** The cookie that keeps claims of an address for the pages of one site; one that ends at once for none. */
export function claimsCookie(owner: CookieOwner, path: string, kept: string): string {
  const value = Buffer.from(kept).toString("base64url");
  return cookie(owner, path, CLAIMS_NAME, value) + (kept === "" ? "; Max-Age=0" : "");
}

function cookie(owner: CookieOwner, path: string, name: string, value: string): string {
  const { secure } = owner;
  const where = isBoundToHost(owner) ? "/" : path;
  return `${cookieName(owner, name)}=${value}; Path=${where}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

const isBoundToHost = ({ isOwnHost, secure }: CookieOwner): boolean => isOwnHost && secure;

function cookieName(owner: CookieOwner, kind: string): string {
  const name = createHash("sha256").update(owner.name.toLowerCase()).digest("base64url").slice(0, 12);
  return `${isBoundToHost(owner) ? "__Host-" : ""}${kind}-${name}`;
}
