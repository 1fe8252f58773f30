import type { Urls } from "@octavo/shared/urls";
import { nameOfHost } from "../audience/addresses.js";
import { byHostname, findNamed, type Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { type Address, isSame, readAddress } from "./address.js";
import * as queries from "./queries.js";

/** A site at an address, and how many segments of the address lead to its root. */
export interface SiteAt {
  site: Row;
  depth: number;
}

/** Segments of the longest foreign address that is looked for. */
const DEEPEST_PROXY = 10;

/**
 * Finds the site at an address: below the base of all sites by its name or id, elsewhere by the hostname that is its own,
 * by its name below the sites' domain, or by the foreign address that forwards to it.
 */
export async function siteAt(ctx: Ctx, address: Address): Promise<SiteAt | undefined> {
  const { host, hostname, segments } = address;
  const base = baseOf(ctx.urls);
  const below = base.segments.every(({ text }, at) => isSame(text, segments[at]?.text ?? ""));
  if (host === base.host && below) {
    const depth = base.segments.length + 1;
    const name = segments[depth - 1];
    const site = name && (await byName(ctx, name.text));
    return site && { site, depth };
  }
  const owner = await byHostname(ctx, hostname);
  if (owner) return { site: owner, depth: 0 };
  const name = nameOfHost(ctx.urls, hostname);
  if (name !== undefined) {
    const site = await byName(ctx, name);
    return site && { site, depth: 0 };
  }
  const path = segments.slice(0, DEEPEST_PROXY).map(({ text }) => text.toLowerCase());
  const origins = path.map((_, at) => [hostname, ...path.slice(0, at + 1)].join("/"));
  const site = origins.length > 0 ? await queries.byProxy(ctx, origins) : undefined;
  return site && { site, depth: site.proxy!.split("/").length - 1 };
}

const bases = new WeakMap<Urls, Address>();

/** The base of all sites, taken apart once. */
function baseOf(urls: Urls): Address {
  const known = bases.get(urls);
  if (known) return known;
  const base = readAddress(urls.site`/`);
  bases.set(urls, base);
  return base;
}

/** Ms between the beginnings of two reads of one row, where several wait for it: by then more have come. */
const PACE_MS = 3;

/** Many addresses of one site are looked up at once: its row is read for all that came since the last read began. */
const byName = (ctx: Ctx, name: string) => ctx.coalesce(`site ${name}`, () => findNamed(ctx, name), PACE_MS);
