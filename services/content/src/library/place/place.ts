import { refuseAt } from "@octavo/shared/errors";
import { generateKeyBetween } from "fractional-indexing";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../../trpc.js";
import type { Pointer, Position } from "./schema.js";

// Spaces and collections stand in one order under their parent: each has a fractional index, ties go by id.

/** A parent collection, or null for the top level of an organization. */
export interface ParentCollection {
  organization: string;
  parent: string | null;
}

/**
 * The index for something that is put under a parent; the order of the organization is locked. The end by default.
 * 400 when the position names what is no other space or collection there.
 */
export async function placeIn(
  ctx: Ctx,
  place: ParentCollection,
  position: Position = {},
  self?: string,
): Promise<string> {
  const { before, after } = position;
  if (before) {
    const next = await positionOf(ctx, place, before, "before", self);
    return generateKeyBetween(await edge(ctx, place, "max", sql`and position < ${next}`), next);
  }
  if (after) {
    const previous = await positionOf(ctx, place, after, "after", self);
    return generateKeyBetween(previous, await edge(ctx, place, "min", sql`and position > ${previous}`));
  }
  return generateKeyBetween(await edge(ctx, place, "max", sql``), null);
}

async function positionOf(
  ctx: Ctx,
  place: ParentCollection,
  pointer: Pointer,
  side: "before" | "after",
  self?: string,
) {
  const id = pointer.type === "space" ? pointer.space : pointer.collection;
  const { rows } = await sql<{ position: string }>`
    select position from ${sql.table(pointer.type)} where id = ${id} and ${under(place)} and ${alive(pointer.type)}`.execute(
    ctx.db,
  );
  const position = rows[0]?.position;
  if (position !== undefined && id !== self) return position;
  const message = id === self ? "is the thing that is moved" : `is no ${pointer.type} under that parent`;
  const path = `body.position.${side}`;
  refuseAt(path, message, { reason: "invalid_position" });
}

async function edge(ctx: Ctx, place: ParentCollection, side: "min" | "max", where: RawBuilder<unknown>) {
  const of = (table: "space" | "collection") =>
    sql`(select ${sql.raw(side)}(position) from ${sql.table(table)} where ${under(place)} and ${alive(table)} ${where})`;
  const outer = sql.raw(side === "min" ? "least" : "greatest");
  const { rows } = await sql<{ position: string | null }>`
    select ${outer}(${of("space")}, ${of("collection")}) as position`.execute(ctx.db);
  return rows[0]!.position;
}

const under = ({ organization, parent }: ParentCollection) =>
  parent === null
    ? sql`organization = ${organization} and parent is null`
    : sql`organization = ${organization} and parent = ${parent}`;

const alive = (table: "space" | "collection") => (table === "space" ? sql`deleted_at is null` : sql`true`);
