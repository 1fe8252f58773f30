import type { Caller } from "@octavo/shared/contracts/callers";
import { type RawBuilder, sql } from "kysely";
import type { DefaultLevel, Visibility } from "../db/tables/spaces.js";

/** How a site may show a space, most open first. */
export const SHOWN = ["public", "unlisted", "share-link", "visitor-auth"] as const;
/** A number that is lower, the more people a row `a` of `audience` lets in. */
export const openness = sql`array_position(${sql.lit(`{${SHOWN.join(",")}}`)}::text[], a.visibility)`;

/** Whoever has the address reads the space: it is edited in change requests alone. Source: live edits of the interface. */
export const PUBLISHED = ["public", "unlisted"] as const satisfies Visibility[];

/** A column of `space`: the address at which most people reach it; null when no site shows it. */
export const addressOf = sql<
  string | null
>`case when space.visibility in ('private', 'in-collection') then null else (
  select a.url from audience a where a.space = space.id and a.url is not null
  order by ${openness}, a.site limit 1) end`;

/** A column of `space`: the address at which the caller reaches it; a visitor reaches it through one site alone. */
export const addressFor = (caller: Caller) =>
  caller.kind === "reader" ? onSite<string>(sql`a.url`, sql`${caller.site}`) : addressOf;

/**
 * A column of `space`: for a visitor, how often the audience of the site had been narrowed when the site last reported that
 * it shows the space. Null when it does not, and for all other callers; also where it did not report the conditions on which it
 * shows the space, to those who came by another address.
 */
export const shownTo = (caller: Caller) =>
  caller.kind === "reader"
    ? shownOn(sql`${caller.site}`, sql`${caller.space}`)
    : sql<number | null>`null::int`;

/**
 * The epoch at which a site reported that it shows the space, as a column of `space`: for a site and the space at the
 * address, or for what stands for their ids in a prepared query.
 */
export const shownOn = (site: RawBuilder<unknown>, resolved: RawBuilder<unknown>) =>
  onSite<number>(
    sql`case when a.conditional and a.conditions is null and a.space <> ${resolved} then null else coalesce(a.epoch, 0) end`,
    site,
  );

/** A column of `space`: what a visitor has to meet to be shown it. */
export const conditionsFor = (caller: Caller) =>
  caller.kind === "reader" ? conditionsOn(sql`${caller.site}`) : sql<string[] | null>`null::text[]`;

/** A column of `space`: what visitors of a site have to meet; the site may stand for its id in a prepared query. */
export const conditionsOn = (site: RawBuilder<unknown>) => onSite<string[]>(sql`a.conditions`, site);

/**
 * A column of `space`: the revision of it that visitors are shown instead of the current one, since a release of their
 * site is pinned. A caller without a role reads the current revision of a public space while any
 * public site is not pinned.
 */
export const pinnedFor = (caller: Caller) => {
  if (caller.kind === "reader") return pinnedOn(sql`${caller.site}`);
  return caller.kind === "service" ? nowhere : pinnedInPublic;
};

/** A column of `space`: the revision that visitors of a site are shown; it may stand for its id in a prepared query. */
export const pinnedOn = (site: RawBuilder<unknown>) => onSite<string>(sql`a.revision`, site);

/** A column of `space`: the revision that those are shown who view it because it is public, instead of the current one. */
export const pinnedInPublic = sql<string | null>`case when space.visibility = 'public' then (
  select a.revision from audience a where a.space = space.id and a.visibility = 'public'
  order by a.revision nulls first, a.site limit 1) end`;

/** The revisions of a space that sites show to everybody, since a release of theirs is pinned: branch, number and time. */
export const pinnedRevisions = (space: string) => sql`select v.branch, v.seq, v.created_at from audience a
  join revision v on v.id = a.revision and v.space = a.space
  where a.space = ${space} and a.visibility in (${sql.join(PUBLISHED.map((one) => sql.lit(one)))})`;

const nowhere = sql<string | null>`null::text`;

const onSite = <Value>(column: RawBuilder<unknown>, site: RawBuilder<unknown>) =>
  sql<Value | null>`(select ${column} from audience a where a.space = space.id and a.site = ${site})`;

/** What a backend begins with that is an integration; its name follows. */
export const BY_INTEGRATION = "integration:";

/** A column of `space`: how the site that shows it finds out who its visitors are, when it authenticates them and has reported how. */
export const backendOf = sql<string | null>`case when space.visibility = 'visitor-auth' then (
  select a.backend from audience a where a.space = space.id order by ${openness}, a.site limit 1) end`;

/** The visibility of a space that no site shows: it may be seen with its collection, or by those with access to itself. */
export const hidden = (parent: string | null, defaultLevel: DefaultLevel): Visibility =>
  parent !== null && defaultLevel === "inherit" ? "in-collection" : "private";
