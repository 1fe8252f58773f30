import { found } from "@octavo/shared/errors";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";

/**
 * A point that content can be read at: a branch at its head (`seq` absent) or at one of its revisions. A version of a
 * change request has a `base`: what it did not touch shows through from the primary branch as it was at that revision.
 */
export interface Version {
  space: string;
  branch: string;
  revision: string;
  seq?: number;
  base?: { branch: string; seq: number };
}

/** The columns of an entry, as every reader gets them. */
export interface Entry {
  id: string;
  kind: "page" | "file" | "reusable" | "variable";
  parent: string | null;
  position: string;
  slug: string | null;
  title: string;
  body: string | null;
  git_path: string | null;
  git_oid: string | null;
  props: Record<string, unknown>;
  created_at: string;
  updated_at: string | null;
}

export const COLUMNS = sql.raw(
  "e.id, e.kind, e.parent, e.position, e.slug, e.title, e.body, e.git_path, e.git_oid, e.props, e.created_at, e.updated_at",
);

function valid(alias: string, seq: number | undefined) {
  const from = sql.ref(`${alias}.from_seq`);
  const to = sql.ref(`${alias}.to_seq`);
  return seq === undefined
    ? sql`${to} is null`
    : sql`${from} <= ${seq} and (${to} is null or ${to} > ${seq})`;
}

/** What entries are read at; the branch may be a column of what they are joined to. */
type ReadAt = Pick<Version, "seq" | "base"> & { branch: string | RawBuilder<string> };

/**
 * The entries of a version that satisfy `where` (a condition on the alias `e`), as a sub-query. Reads a change
 * request's own entries and, below them, those of its base; each side is filtered before they are joined, so that the
 * cost follows the condition and not the size of the space. `columns` are columns of `e`.
 */
export function entriesOf(
  version: ReadAt,
  where: RawBuilder<unknown>,
  columns: RawBuilder<unknown> = COLUMNS,
) {
  const { branch, seq, base } = version;
  const own = sql`select ${columns} from entry e
    where e.branch = ${branch} and ${valid("e", seq)} and not e.removed and ${where}`;
  if (!base) return own;
  return sql`${own} union all select ${columns} from entry e
    where e.branch = ${base.branch} and ${valid("e", base.seq)} and not e.removed and ${where}
    and not exists (select 1 from entry o where o.branch = ${branch} and o.id = e.id and ${valid("o", seq)})`;
}

/** The version at which a revision of a space can be read again; 404 when the space never had it. */
export async function versionOfRevision(ctx: Ctx, space: string, id: string): Promise<Version> {
  const revision = await ctx.db
    .selectFrom("revision")
    .select(["branch", "seq", "base_seq"])
    .where("id", "=", id)
    .where("space", "=", space)
    .executeTakeFirst();
  const { branch, seq, base_seq } = found(revision, "Revision");
  return versionAt({ space, branch, revision: id, seq, base_seq });
}

export interface BranchHead {
  id: string;
  seq: number;
  revision: string;
  base_seq: number | null;
}

/** The version at the head of a branch. */
export function versionOfBranch(space: string, { id, revision, base_seq }: BranchHead): Version {
  return {
    space,
    branch: id,
    revision,
    ...(base_seq !== null && { base: { branch: space, seq: base_seq } }),
  };
}

function versionAt(at: {
  space: string;
  branch: string;
  revision: string;
  seq: number;
  base_seq: number | null;
}): Version {
  const { space, branch, revision, seq, base_seq } = at;
  return {
    space,
    branch,
    revision,
    seq,
    ...(base_seq !== null && { base: { branch: space, seq: base_seq } }),
  };
}

/** The head of a branch, locked until the transaction ends: revisions of one branch are made one after another. */
export async function lockBranch(ctx: Ctx, id: string): Promise<BranchHead> {
  const head = await ctx.db
    .selectFrom("branch")
    .select(["id", "seq", "revision", "base_seq"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return found(head, "Content");
}

/** The head of a branch as it is now. */
export async function headOf(ctx: Ctx, id: string): Promise<BranchHead> {
  const head = await ctx.db
    .selectFrom("branch")
    .select(["id", "seq", "revision", "base_seq"])
    .where("id", "=", id)
    .executeTakeFirst();
  return found(head, "Content");
}
