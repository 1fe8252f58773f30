import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { jwtVerify } from "jose";
import * as publishingAuth from "../store/publishing-auth.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** Characters of the longest token; it travels in a cookie or an address. */
const LONGEST = 8192;
/** By how much the clock of whoever signs may be ahead. */
const SKEW_S = 5;

/**
 * What a visitor proves about themselves: the payload of a JWT that is signed by HS256 with the key of the site, or with
 * that of the integration by which its visitors sign in, and has not expired; undefined for anything else. It has to say
 * when it expires (`exp`), and when it says for whom it is (`aud`), that has to be the site's id. A site whose key nobody
 * has seen accepts nothing.
 * Source: authenticated access of the interface.
 */
export async function verifyVisitor(
  ctx: Ctx,
  { id, organization }: Pick<Site, "id" | "organization">,
  token: string,
): Promise<Record<string, unknown> | undefined> {
  if (token.length > LONGEST) return undefined;
  const auth = await publishingAuth.find(ctx, id);
  if (!auth) return undefined;
  for (const sealed of [auth.private_key, auth.integration_key]) {
    if (sealed === null) continue;
    const key = new TextEncoder().encode(ctx.vault.open(sealed, keyOfSite(id, organization)));
    const payload = await verifyWith(key, token, { site: id, now: ctx.clock() });
    if (payload) return payload;
  }
  return undefined;
}

async function verifyWith(key: Uint8Array, token: string, { site, now }: { site: string; now: Date }) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      requiredClaims: ["exp"],
      clockTolerance: SKEW_S,
      currentDate: now,
    });
    const isOver = payload.exp! * 1000 <= now.getTime();
    const isForeign = payload.aud !== undefined && ![payload.aud].flat().includes(site);
    return isOver || isForeign ? undefined : payload;
  } catch {
    return undefined;
  }
}
