import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Mount } from "./mounts.js";

const NAME = "octavo-visitor";
const LONGEST = 4_096;
/** What a JWT consists of: nothing that ends the value of a cookie. */
const JWT = /^[\w-]+(?:\.[\w-]*)+$/;

/** What a visitor has proved: the JWT of the address comes before that of the cookie. */
export interface Proof {
  jwt: string | undefined;
  /** It stands in the address, from where it is to go. */
  inAddress: boolean;
}

/** Whose cookie keeps what a visitor proved. */
export interface CookieOwner extends Pick<Mount, "name" | "isOwnHost"> {
  /** Whether the site is shown by https alone. */
  secure: boolean;
}

/**
 * Reads what a visitor proves with a request: in its address, as a bearer, which programs send, or by a cookie. A cookie belongs to
 * one site, whose name is part of its own.
 */
export function proofOf(req: IncomingMessage, url: URL, owner: CookieOwner): Proof {
  const given = url.searchParams.get("jwt_token");
  if (isJwt(given)) return { jwt: given, inAddress: true };
  const bearer = /^bearer (\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (isJwt(bearer)) return { jwt: bearer, inAddress: false };
  const cookies = new Map(
    (req.headers.cookie ?? "").split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
    }),
  );
  const kept = cookies.get(cookieName(owner));
  return { jwt: isJwt(kept) ? kept : undefined, inAddress: false };
}

const isJwt = (text: string | null | undefined): text is string =>
  text != null && text.length <= LONGEST && JWT.test(text);

/**
 * The cookie that keeps a JWT for the pages of one site, unreadable to scripts, until the browser ends. On a host that is
 * the site's own, no other host can have set it, not even one of the same domain (`__Host-`).
 */
export function cookieFor(owner: CookieOwner, path: string, jwt: string): string {
  const { secure } = owner;
  const where = isBoundToHost(owner) ? "/" : path;
  return `${cookieName(owner)}=${jwt}; Path=${where}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

const isBoundToHost = ({ isOwnHost, secure }: CookieOwner): boolean => isOwnHost && secure;

function cookieName(owner: CookieOwner): string {
  const name = createHash("sha256").update(owner.name.toLowerCase()).digest("base64url").slice(0, 12);
  return `${isBoundToHost(owner) ? "__Host-" : ""}${NAME}-${name}`;
}
