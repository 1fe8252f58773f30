import { roleIn } from "@octavo/shared/contracts/callers";
import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import type { DefaultLevel } from "../db/tables/spaces.js";
import { permits } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { administers, type Container, type Grant, levelOn, subjectsOf } from "./level.js";

/** What stands in the row of a space, and decides on access together with what it lies in. */
interface Placed {
  id: string;
  parent: string | null;
  default_level: DefaultLevel;
  created_by: string;
  containers: Container[];
}

/** What the caller can see of an organization: read once, it decides on any number of spaces and collections. */
export interface AccessFilter {
  /** The condition on `space` that holds for the spaces that the caller may read. */
  spaces: RawBuilder<boolean>;
  /** The same for `collection`. */
  collections: RawBuilder<boolean>;
  /** Spaces that were read without what decides on access, now with that. */
  attachAccess<Row extends Placed>(rows: Row[]): Promise<Row[]>;
  /** The same for a collection. */
  attachAccessTo<Row extends { id: string; containers: Container[] }>(row: Row): Row;
}

interface Node extends Container {
  parent: string | null;
}

const everything: AccessFilter = {
  spaces: sql<boolean>`true`,
  collections: sql<boolean>`true`,
  attachAccess: async (rows) => rows,
  attachAccessTo: (row) => row,
};

/**
 * One query reads the organization's collections, whatever their depth; on each of them `levelOn` decides. The
 * condition on spaces is the same ladder, for a whole list at once.
 */
export async function accessFilter(ctx: Ctx, organization: string): Promise<AccessFilter> {
  const filter = await filterFor(ctx, organization);
  const reach = ctx.caller.kind === "integration" ? ctx.caller.spaces : undefined;
  if (!reach) return filter;
  const named = sql<boolean>`space.id = any(${reach.but}::text[])`;
  return { ...filter, spaces: reach.all ? sql`(${filter.spaces} and not ${named})` : named };
}

async function filterFor(ctx: Ctx, organization: string): Promise<AccessFilter> {
  if (administers(ctx.caller, organization)) return everything;
  const chains = chainsOf(await nodesOf(ctx, organization));
  const visible = [...chains.values()].filter((containers) =>
    permits(levelOn(ctx.caller, { organization, containers }), "collection.view"),
  );
  // As a set that is hashed: comparing each space with each collection would take the product of both.
  const collections = sql`(select unnest(${visible.map(([{ id }]) => id)}::text[]))`;
  const granted = sql`(select g.target from content_grant g where g.subject = any(${subjectsOf(ctx.caller)}))`;
  const member = permits(roleIn(ctx.caller, organization), "space.access");
  const me = ctx.caller.kind === "user" ? ctx.caller.id : "";
  return {
    collections: sql<boolean>`collection.id in ${collections}`,
    spaces: sql<boolean>`(
      (space.default_level = 'inherit' and (space.parent in ${collections} or (space.parent is null and ${member})))
      or (space.default_level <> 'inherit' and ${member})
      or (space.default_level is null and space.created_by = ${me} and ${member})
      or space.id in ${granted})`,
    attachAccess: async (rows) => {
      const own = await ownGrants(
        ctx,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => {
        const { id, default_level, created_by, parent } = row;
        const itself = { id, default_level, created_by, grants: own.get(id) ?? [] };
        return { ...row, containers: [itself, ...(chains.get(parent) ?? [])] };
      });
    },
    attachAccessTo: (row) => ({ ...row, containers: chains.get(row.id) ?? [] }),
  };
}

/** What is granted to the caller on each of the things. */
async function ownGrants(ctx: Ctx, targets: string[]): Promise<Map<string, Grant[]>> {
  const rows = await ctx.db
    .selectFrom("content_grant")
    .select(["target", "subject_kind as kind", "role"])
    .where("target", "=", anyOf(targets))
    .where("subject", "=", anyOf(subjectsOf(ctx.caller)))
    .execute();
  const grants = new Map<string, Grant[]>();
  for (const { target, ...grant } of rows) grants.set(target, [...(grants.get(target) ?? []), grant]);
  return grants;
}

type Chain = [Container, ...Container[]];

/** Each collection with those around it, innermost first. */
function chainsOf(nodes: Node[]): Map<string | null, Chain> {
  const byId = new Map<string | null, Node>(nodes.map((node) => [node.id, node]));
  const chains = new Map<string | null, Chain>();
  const chainOf = (node: Node): Chain => {
    const known = chains.get(node.id);
    if (known) return known;
    const above = byId.get(node.parent);
    const chain: Chain = [node, ...(above ? chainOf(above) : [])];
    chains.set(node.id, chain);
    return chain;
  };
  for (const node of nodes) chainOf(node);
  return chains;
}

async function nodesOf(ctx: Ctx, organization: string): Promise<Node[]> {
  const { rows } = await sql<Omit<Node, "grants"> & { grants: Grant[] | null }>`
    select c.id, c.parent, c.default_level, c.created_by, g.grants
    from collection c left join (
      select target, jsonb_agg(jsonb_build_object('kind', subject_kind, 'role', role)) as grants
      from content_grant where subject = any(${subjectsOf(ctx.caller)}) group by target
    ) g on g.target = c.id
    where c.organization = ${organization}`.execute(ctx.db);
  return rows.map(({ grants, ...node }) => ({ ...node, grants: grants ?? [] }));
}
