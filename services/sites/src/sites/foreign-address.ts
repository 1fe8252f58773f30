import { isSpecialName, isWithin } from "@octavo/shared/contracts/hostnames";
import { refuse, refuseAt } from "@octavo/shared/errors";
import type { z } from "zod";
import { platformHosts } from "../audience/addresses.js";
import * as queries from "../store/foreign-addresses.js";
import type { Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { Update } from "./schema.js";

// Foreign addresses of a site: the host and path that forward to it, and the hostname that it names as its own. Two
// sites never have addresses of which one lies below the other, so that an address leads to one site alone.

type Wanted = Pick<z.output<typeof Update>, "proxy" | "hostname">;

/**
 * Refuses foreign addresses that no site may have, or that another has: 400 for those of the platform and for names that
 * no DNS serves, 409 for what is taken. Whoever calls holds the site; nobody takes an address until the transaction ends.
 */
export async function refuseForeign(ctx: Ctx, site: Row, { proxy, hostname }: Wanted): Promise<void> {
  if (typeof hostname === "string" && hostname !== site.hostname) refuseReserved(ctx, "hostname", hostname);
  if (typeof proxy !== "string" || proxy === site.proxy) return;
  const origin = proxy.toLowerCase();
  const [host, ...path] = origin.split("/") as [string, ...string[]];
  refuseReserved(ctx, "proxy", host);
  await queries.lockForeignAddresses(ctx);
  const above = path.slice(0, -1).map((_, at) => [host, ...path.slice(0, at + 1)].join("/"));
  if (await queries.isTaken(ctx, site.id, { origin, above, host }))
    refuse("CONFLICT", "body.proxy: is taken by another site, or lies below or above what is", {
      reason: "proxy_taken",
    });
}

/** What a new hostname changes; it is the site's only once the DNS says so. */
export const hostnameSet = (site: Row, hostname: Wanted["hostname"]) =>
  hostname === undefined || hostname === site.hostname
    ? {}
    : { hostname, hostname_status: null, hostname_verified_at: null };

function refuseReserved({ urls }: Ctx, field: keyof Wanted, host: string): void {
  const { sitesDomain = [] } = urls;
  if (isSpecialName(host) || isWithin([...platformHosts(urls), sitesDomain].flat(), host))
    refuseAt(`body.${field}`, "is a reserved name, or one of the platform");
}
