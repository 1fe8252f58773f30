import { refuse } from "@octavo/shared/errors";
import { type Claims, claimsWithin } from "../claims/claims.js";
import type { Properties } from "../claims/schema.js";
import * as adaptiveSchema from "../store/adaptive-schema.js";
import * as shareLinks from "../store/share-links.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { loginAddress } from "./login.js";
import { openPreview } from "./preview.js";
import { verifyVisitor } from "./visitor-token.js";

/** Who comes to a published site, and by which address; all of it may be forged. */
export interface Visit {
  /** The segments of the address behind the root of the site, decoded. */
  path: string[];
  /** A JWT that identifies the visitor. */
  jwtToken?: string;
  /** Claims about the visitor that are not proved. */
  unsignedClaims?: Record<string, unknown>;
  /** A token of `publishing/preview`, which stands for a JWT and claims. */
  preview?: string;
  /** Whether a JWT that is not good leads to where visitors sign in, instead of to a refusal. */
  redirectOnError: boolean;
}

/** Somebody whom the site lets in. */
export interface Admitted {
  /** What they proved, and under `unsigned` what they claimed, as far as the schema of the site has it. */
  claims?: Claims;
  /** The key in the address, which is the first segment of the path, in lower case. */
  shareKey?: string;
}

/** Where somebody is sent instead. */
export interface Elsewhere {
  target: "application" | "content" | "external";
  redirect: string;
}

/** Bytes that claims take at most, as JSON: they travel with every request of a reader. */
const MOST_BYTES = 3_000;

/**
 * Decides whether a published site lets somebody in: returns what is known of them, where they have to go first, or
 * undefined for an address that opens nothing. `share-link` takes the key of an active link of this very site,
 * `visitor-auth` a JWT that `verifyVisitor` believes; all other sites are for everybody. Without a JWT visitors are sent to
 * sign in; 403 `visitor_token_refused` for one that is not good unless `redirectOnError`, 403 `visitor_unknown` where
 * the site names no address to sign in at.
 */
export async function admit(ctx: Ctx, site: Site, visit: Visit): Promise<Admitted | Elsewhere | undefined> {
  if (visit.preview !== undefined) return admitPreview(ctx, site, visit.preview);
  if (!site.published) return undefined;
  const [shareKey = ""] = visit.path;
  const [link, signed, properties] = await Promise.all([
    shareLinks.findActive(ctx, site.id, shareKey),
    visit.jwtToken === undefined ? undefined : verifyVisitor(ctx, site, visit.jwtToken),
    propertiesFor(ctx, site),
  ]);
  if (site.visibility === "share-link" && !link) return undefined;
  if (site.visibility === "visitor-auth" && !signed) return signIn(ctx, site, visit);
  const claims = claimsOf(properties, signed, visit.unsignedClaims);
  return { ...(claims && { claims }), ...(link && { shareKey: shareKey.toLowerCase() }) };
}

async function signIn(ctx: Ctx, site: Site, visit: Visit): Promise<Elsewhere> {
  if (visit.jwtToken !== undefined && !visit.redirectOnError)
    refuse("FORBIDDEN", "Visitor: the JWT is not good", { reason: "visitor_token_refused" });
  const redirect = await loginAddress(ctx, site, visit.path);
  return redirect === undefined
    ? refuse("FORBIDDEN", "Visitor: has to sign in, and the site does not say where", {
        reason: "visitor_unknown",
      })
    : { target: "external", redirect };
}

async function admitPreview(ctx: Ctx, site: Site, token: string): Promise<Admitted | undefined> {
  const preview = openPreview(ctx, site, token);
  if (!preview) return undefined;
  const { unsigned, ...signed } = preview.claims;
  const claims = claimsOf(await propertiesFor(ctx, site), signed, unsigned);
  return { ...(claims && { claims }) };
}

/** The claims that count on a site now; none while its adaptive content is not enabled. */
async function propertiesFor(ctx: Ctx, { id, adaptive_content }: Site): Promise<Properties> {
  const row = adaptive_content ? await adaptiveSchema.find(ctx, id) : undefined;
  return row ? row.json_schema.properties : {};
}

/**
 * What a visitor claims; undefined when nothing of it counts. `unsigned` is a name that no JWT may give: what stands
 * there is from the visitor. Of what is too much to carry, that goes first.
 */
function claimsOf(properties: Properties, signed: object | undefined, unsigned: unknown): Claims | undefined {
  const all = claimsWithin(properties, { ...signed, unsigned });
  const { unsigned: _, ...proved } = all;
  return [all, proved].find((claims) => Object.keys(claims).length > 0 && isShort(claims));
}

const isShort = (claims: Claims) => Buffer.byteLength(JSON.stringify(claims)) <= MOST_BYTES;
