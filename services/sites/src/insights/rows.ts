import { createHash } from "node:crypto";
import { withoutShareKeys } from "@octavo/shared/contracts/share-keys";
import { newId } from "@octavo/shared/ids";
import { readUrl } from "@octavo/shared/read-url";
import type { Insertable } from "kysely";
import type { Database } from "../db/database.js";
import type { SiteInsightsEvent } from "./event-schema.js";
import { visitorOf } from "./visitor.js";

type Row = Insertable<Database["insights_event"]>;

/** The row of an event: what is asked for later, and neither addresses of visitors, nor cookies, nor tokens. */
export function rowOf(site: string, event: SiteInsightsEvent, now: Date): Row {
  const { session, location, type } = event;
  const at = event.timestamp === undefined ? now : new Date(event.timestamp);
  const { searchParams } = new URL(location.url);
  const utm = (name: string) => searchParams.get(`utm_${name}`)?.slice(0, LONGEST_UTM) ?? "";
  return {
    id: newId("event"),
    site,
    type,
    occurred_at: (at < now ? at : now).toISOString(),
    visitor: session.visitorId,
    session: session.sessionId,
    url: addressOf(location),
    site_section: location.siteSection,
    site_space: location.siteSpace,
    share_key: location.siteShareKey === null ? null : keyDigest(location.siteShareKey),
    space: location.space,
    revision: location.revision,
    page: location.page,
    language: session.language,
    ...visitorOf(session.userAgent),
    referrer: session.referrer ?? "",
    referrer_domain: domainOf(session.referrer ?? ""),
    utm_source: utm("source"),
    utm_medium: utm("medium"),
    utm_campaign: utm("campaign"),
    utm_term: utm("term"),
    utm_content: utm("content"),
    claims: JSON.stringify(session.visitorAuthClaims ?? {}),
    details: JSON.stringify(detailsOf(event)),
  };
}

/** The address of a page, without its query and without the key of a share link. */
export function addressOf({ url, siteShareKey }: SiteInsightsEvent["location"]): string {
  const { pathname, origin } = new URL(url);
  return origin + withoutShareKeys(withoutKey(pathname, siteShareKey));
}

const LONGEST_UTM = 256;

/** The key of a share link opens the site: what is stored distinguishes links, and opens nothing. */
export const keyDigest = (key: string): string =>
  /^key_[0-9a-f]{16}$/.test(key)
    ? key
    : `key_${createHash("sha256").update(key.toLowerCase()).digest("hex").slice(0, 16)}`;

const withoutKey = (path: string, key: string | null) =>
  key === null
    ? path
    : path
        .split("/")
        .map((segment) => (segment.toLowerCase() === encodeURIComponent(key).toLowerCase() ? "~" : segment))
        .join("/");

const domainOf = (address: string) => readUrl(address)?.hostname ?? "";

/** What is of the type of an event. */
function detailsOf(event: SiteInsightsEvent): Record<string, unknown> {
  const { type: _, session: __, location: ___, timestamp: ____, ...rest } = event;
  if (event.type !== "link_click") return rest;
  const { target } = event.link;
  return { ...rest, linkDomain: target.kind === "url" ? domainOf(target.url) : "" };
}
