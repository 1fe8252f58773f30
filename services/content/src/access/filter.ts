import { type Caller, roleIn } from "@octavo/shared/contracts/callers";
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

/** Which spaces of an organization somebody may read: the values of `isReadable`. */
export interface ReadableSpaces {
  /** Whether it is all of them, but for what `only` and `but` say. */
  all: boolean;
  /** No others are. */
  only: string[] | null;
  /** These are not. */
  but: string[];
  /** Whether somebody may read what is open to members. */
  member: boolean;
  /** Who reads what they created and nobody else may see; empty for who is no user. */
  user: string;
  /** The ids under which grants are kept. */
  subjects: string[];
  /** The collections that somebody may read. */
  collections: string[];
}

/** The values for who may read all spaces. */
export const allSpaces: ReadableSpaces = {
  all: true,
  only: null,
  but: [],
  member: true,
  user: "",
  subjects: [],
  collections: [],
};

/** What the caller can see of an organization: read once, it decides on any number of spaces and collections. */
export interface AccessFilter {
  /** The condition on `space` that holds for the spaces that the caller may read. */
  spaces: RawBuilder<boolean>;
  /** The same as values, for statements that are prepared. */
  readable: ReadableSpaces;
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

/** The expression for a value of a type. */
type ValueOf = (name: keyof ReadableSpaces, type: "boolean" | "text" | "text[]") => RawBuilder<unknown>;

/**
 * The condition on `space` that holds for the spaces that somebody may read: the same ladder as `levelOn`, for a whole
 * list at once.
 */
export function isReadable(value: ValueOf): RawBuilder<boolean> {
  const member = value("member", "boolean");
  // As sets that are hashed: comparing each space with each collection would take the product of both.
  const collections = sql`(select unnest(${value("collections", "text[]")}))`;
  const granted = sql`(select g.target from content_grant g where g.subject = any(${value("subjects", "text[]")}))`;
  return sql<boolean>`((${value("all", "boolean")}
      or (space.default_level = 'inherit' and (space.parent in ${collections} or (space.parent is null and ${member})))
      or (space.default_level <> 'inherit' and ${member})
      or (space.default_level is null and space.created_by = ${value("user", "text")} and ${member})
      or space.id in ${granted})
    and (${value("only", "text[]")} is null or space.id = any(${value("only", "text[]")}))
    and space.id <> all(${value("but", "text[]")}))`;
}

/**
 * One query reads the organization's collections, whatever their depth; on each of them `levelOn` decides. The
 * condition on spaces is made of what that says.
 */
export async function accessFilter(ctx: Ctx, organization: string): Promise<AccessFilter> {
  const filter = await filterFor(ctx, organization);
  const readable = withinReach(ctx.caller, filter.readable);
  return { ...filter, readable, spaces: conditionOf(readable) };
}

function withinReach(caller: Caller, readable: ReadableSpaces): ReadableSpaces {
  const reach = caller.kind === "integration" ? caller.spaces : undefined;
  if (!reach) return readable;
  return reach.all ? { ...readable, but: reach.but } : { ...allSpaces, only: reach.but };
}

function conditionOf(readable: ReadableSpaces): RawBuilder<boolean> {
  const { all, only, but } = readable;
  if (all && !only && but.length === 0) return sql<boolean>`true`;
  return isReadable((name, type) => sql`${readable[name]}::${sql.raw(type)}`);
}

type Filter = Omit<AccessFilter, "spaces">;

const everything: Filter = {
  readable: allSpaces,
  collections: sql<boolean>`true`,
  attachAccess: async (rows) => rows,
  attachAccessTo: (row) => row,
};

async function filterFor(ctx: Ctx, organization: string): Promise<Filter> {
  const { caller } = ctx;
  if (administers(caller, organization)) return everything;
  const chains = chainsOf(await nodesOf(ctx, organization));
  const collections = [...chains.values()]
    .filter((containers) => permits(levelOn(caller, { organization, containers }), "collection.view"))
    .map(([{ id }]) => id);
  const readable: ReadableSpaces = {
    all: false,
    only: null,
    but: [],
    collections,
    member: permits(roleIn(caller, organization), "space.access"),
    user: caller.kind === "user" ? caller.id : "",
    subjects: subjectsOf(caller),
  };
  return {
    readable,
    collections: sql<boolean>`collection.id in (select unnest(${collections}::text[]))`,
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
