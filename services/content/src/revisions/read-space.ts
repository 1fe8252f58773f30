import { type Argument, prepare } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import { containersOfSpace } from "../access/containers.js";
import { administers, administersAny, subjectsOf, type Viewed } from "../access/level.js";
import { conditionsOn, pinnedInPublic, pinnedOn, shownOn } from "../access/visibility.js";
import type { ChangeRequestStatus } from "../db/tables/change-requests.js";
import type { ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** The content that a part of a response is read at: in a query that is compiled once, by stand-ins for the names. */
export type ContentPoint = ReadPoint<string | RawBuilder<string>>;

/** A part of the response that is read together with the scope: columns, and what they are joined from. */
export type Projection<Row, Args> = (
  version: ContentPoint,
  arg: Argument<Args>,
) => { columns: RawBuilder<Row>; joins?: RawBuilder<unknown> };

export const nothing: Projection<object, object> = () => ({ columns: sql`null as nothing` });

/** Its id is that of the target: a part of the content has columns of that name. */
export interface SpaceRow extends Omit<Viewed, "id"> {
  created_by: string;
  edit_mode: "live" | "locked";
  revision: string;
  /** The revision that visitors are shown instead, while a release of the site is pinned. */
  pinned: string | null;
}

/** A change request that is read together with its space; null where the space has none of that name. */
export interface NamedRow {
  change_request: string | null;
  number: number;
  status: ChangeRequestStatus;
  author: string;
  head_seq: number;
  head_revision: string;
  head_base: number | null;
}

/** A change request by its id, or by its number inside the space. */
const named =
  <Name extends "id" | "number">(name: Name): Projection<NamedRow, Record<Name, string | number>> =>
  ({ space }, arg) => ({
    columns: sql`named.id as change_request, named.number, named.status, named.created_by as author,
      branch.seq as head_seq, branch.revision as head_revision, branch.base_seq as head_base`,
    joins: sql`left join (change_request named join branch on branch.id = named.id)
      on named.space = ${space} and ${sql.ref(`named.${name}`)} = ${arg(name)}`,
  });
const [byId, byNumber] = [named("id"), named("number")];

/** Reads the space of a target, with the change request that it names by id or number. */
export function readScope(
  ctx: Ctx,
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId?: string },
  how: Reading = {},
): Promise<(SpaceRow & Partial<NamedRow>) | undefined> {
  if (changeRequestId === undefined) return readSpace(ctx, spaceId, nothing, {}, how);
  return isNumber(changeRequestId)
    ? readSpace(ctx, spaceId, byNumber, { number: Number(changeRequestId) }, how)
    : readSpace(ctx, spaceId, byId, { id: changeRequestId }, how);
}

interface Reading {
  /**
   * Whether an administrator's row is locked to be used as it is read, and left out while others hold it: no other row
   * decides, and what is locked is read as it is when it is locked.
   */
  locked?: boolean;
}

/**
 * Reads a space together with a part of its content. For an administrator nothing of what the space lies in decides: that is read
 * only when it turns out that one is none. Without a part, reads that come at once by callers for whom the same decides are one
 * query, begun after the last of them came.
 */
export async function readSpace<Row, Args extends object>(
  ctx: Ctx,
  space: string,
  part: Projection<Row, Args>,
  args: Args,
  { locked = false }: Reading = {},
) {
  const read = spaceReads(part);
  if (locked) return (await read.locked(ctx.db, { ...args, space }))[0];
  // Besides the space, a part depends on its arguments; a transaction sees what it has written itself.
  const isShared = Object.is(part, nothing) && !ctx.db.isTransaction;
  const first = async (decided: unknown[], rows: () => Promise<(SpaceRow & Row)[]>) => {
    const shared = () => ctx.coalesce(JSON.stringify(["space", space, ...decided]), rows);
    return (await (isShared ? shared() : rows()))[0];
  };
  if (ctx.caller.kind === "reader") {
    const { site, space: resolved } = ctx.caller;
    return first(["reader", site, resolved], () => read.ofReader(ctx.db, { ...args, space, site, resolved }));
  }
  if (administersAny(ctx.caller)) {
    const row = await first([], () => read.plain(ctx.db, { ...args, space }));
    if (!row || administers(ctx.caller, row.organization)) return row;
  }
  const subjects = subjectsOf(ctx.caller);
  return first(["subjects", ...subjects], () => read.withContainers(ctx.db, { ...args, space, subjects }));
}

interface SpaceReads<Row, Args> {
  /** Without what decides on access. */
  plain: ReturnType<typeof prepare<{ space: string } & Args, SpaceRow & Row>>;
  /** The same under a lock. */
  locked: ReturnType<typeof prepare<{ space: string } & Args, SpaceRow & Row>>;
  withContainers: ReturnType<typeof prepare<{ space: string; subjects: string[] } & Args, SpaceRow & Row>>;
  /** With what decides on a visitor of a site. */
  ofReader: ReturnType<
    typeof prepare<{ space: string; site: string; resolved: string } & Args, SpaceRow & Row>
  >;
}

const known = new Map<unknown, unknown>();

/** The queries of a space together with a part of its primary content; made once for each part. */
function spaceReads<Row, Args extends object>(part: Projection<Row, Args>): SpaceReads<Row, Args> {
  const made = known.get(part) as SpaceReads<Row, Args> | undefined;
  if (made) return made;
  const reads: SpaceReads<Row, Args> = {
    plain: prepare((arg) => spaceQuery(part, arg, {})),
    locked: prepare((arg) => sql`${spaceQuery(part, arg, {})} for key share of space skip locked`),
    withContainers: prepare((arg) =>
      spaceQuery(part, arg, { containers: containersOfSpace(arg("subjects")), pinned: pinnedInPublic }),
    ),
    ofReader: prepare((arg) =>
      spaceQuery(part, arg, {
        shown: shownOn(arg("site"), arg("resolved")),
        conditions: conditionsOn(arg("site")),
        pinned: pinnedOn(arg("site")),
      }),
    ),
  };
  known.set(part, reads);
  return reads;
}

function spaceQuery<Row, Args>(
  part: Projection<Row, Args>,
  arg: Argument<{ space: string } & Args>,
  decided: Record<string, RawBuilder<unknown>>,
): RawBuilder<SpaceRow & Row> {
  const space = arg("space");
  const { containers = sql`'[]'::jsonb`, shown = sql`null::int` } = decided;
  const { conditions = sql`null::text[]`, pinned = sql`null::text` } = decided;
  // The head of the primary branch has the space's id for a name, so the stand-in names both.
  const { columns, joins = sql`` } = part({ space, branch: space }, (name) => arg(name));
  return sql`select space.organization, space.created_by, space.edit_mode, space.visibility, space.revision,
      ${containers} as containers, ${shown} as shown, ${conditions} as conditions,
      ${pinned} as pinned, ${columns}
    from space ${joins} where space.id = ${space} and space.deleted_at is null`;
}

/** Whether a change request is named by its number inside the space, and not by its id. */
export const isNumber = (idOrNumber: string) => /^[1-9]\d{0,8}$/.test(idOrNumber);
