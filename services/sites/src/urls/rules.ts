import type { Call } from "../trpc.js";
import { resolve } from "./resolve.js";
import type {
  FoundContentLookup,
  GetPublished,
  PublishedSiteContentLookup,
  ResolvePublished,
} from "./schema.js";

// What readers see at an address: the inverse of the published addresses of sites and site spaces. A renderer that knows
// nothing else gets what it needs to read it.

/**
 * Resolves an address like `resolvePublished`, for a visitor whose JWT stands in the query; refuses like
 * `resolvePublished`.
 */
export async function getPublished({ ctx, input }: Call<typeof GetPublished>) {
  const { url, redirectOnError, visitorAuthToken: jwtToken } = input;
  return forClients(await resolve(ctx, url, { jwtToken, redirectOnError }, { redirects: true }));
}

/**
 * Returns what a published site shows at an address, with a token that reads it, or where the visitor has to go instead:
 * to sign in, or where a redirect leads from an address at which there is no page. 404 when no site is there that
 * is published and lets the visitor in; which of these is not disclosed.
 */
export async function resolvePublished({ ctx, input }: Call<typeof ResolvePublished>) {
  const { url, redirectOnError, visitor } = input;
  return forClients(await resolve(ctx, url, { ...visitor, redirectOnError }, { redirects: true }));
}

/** Clients are not told what lies beside what they found: they may not be shown all of it. */
function forClients(found: FoundContentLookup): PublishedSiteContentLookup {
  if ("redirect" in found) return found;
  const { others: _, ...content } = found;
  return content;
}

/**
 * Resolves like `resolvePublished`, with the same 403 and 404, for the process that shows sites to people, which looks for
 * redirects by itself and is told which addresses lead to the same space.
 */
export function find({ ctx, input }: Call<typeof ResolvePublished>) {
  const { url, redirectOnError, visitor } = input;
  return resolve(ctx, url, { ...visitor, redirectOnError }, { redirects: false });
}
