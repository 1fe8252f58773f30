import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

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

/** Reads what a visitor proves with a request. A cookie belongs to one site, whose name is part of its own. */
export function proofOf(req: IncomingMessage, url: URL, siteName: string): Proof {
  const given = url.searchParams.get("jwt_token");
  if (isJwt(given)) return { jwt: given, inAddress: true };
  const cookies = new Map(
    (req.headers.cookie ?? "").split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
    }),
  );
  const kept = cookies.get(cookieName(siteName));
  return { jwt: isJwt(kept) ? kept : undefined, inAddress: false };
}

const isJwt = (text: string | null | undefined): text is string =>
  text != null && text.length <= LONGEST && JWT.test(text);

/** The cookie that keeps a JWT for the pages of one site, unreadable to scripts, until the browser ends. */
export function cookieFor(siteName: string, siteBase: string, jwt: string, secure: boolean): string {
  return `${cookieName(siteName)}=${jwt}; Path=${siteBase}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

const cookieName = (siteName: string): string =>
  `${NAME}-${createHash("sha256").update(siteName.toLowerCase()).digest("base64url").slice(0, 12)}`;
