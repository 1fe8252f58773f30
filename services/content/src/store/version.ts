import { ask } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { found } from "@octavo/shared/errors";
import { type RawBuilder, sql } from "kysely";
import type { FileProps, PageProps, ReusableContentProps, VariableProps } from "../db/tables/entries.js";
import type { Ctx } from "../trpc.js";

/**
 * A point that content can be read at: a branch at its head (`seq` absent) or as it was at one of its revisions. One of a
 * change request has a `base`: what it did not touch shows through from the primary branch as it was at that revision.
 * Queries that are compiled once read at columns of what they are joined to, instead of at names.
 */
export interface ReadPoint<Name = string> {
  space: Name;
  branch: Name;
  seq?: number;
  base?: { branch: string; seq: number };
}

/** A point that a revision names, so that what is derived from it can be kept under the id of that revision. */
export interface Version extends ReadPoint {
  revision: string;
}

/** The primary content of a space, as it is now or as it was at the revision with this number. */
export const primaryAt = (space: string, seq?: number): ReadPoint => ({ space, branch: space, seq });

/** A change request's own content at one of its revisions, on top of what it stood on then. */
export const branchAt = ({ space, branch, base }: ReadPoint, seq: number): ReadPoint => ({
  space,
  branch,
  seq,
  base,
});

/** The primary content that a change request stands on; undefined for what stands on nothing. */
export const baseOf = ({ space, base }: ReadPoint): ReadPoint | undefined => base && { space, ...base };

/** What entries of all kinds have. */
interface AnyEntry {
  id: string;
  parent: string | null;
  position: string;
  slug: string | null;
  title: string;
  git_path: string | null;
  git_oid: string | null;
  created_at: string;
  updated_at: string | null;
}

/** A page; `body` is the hash of its text, which a group, a link and an empty document have none of. */
export interface PageEntry extends AnyEntry {
  kind: "page";
  body: string | null;
  props: PageProps;
}

/** A file; `body` is the hash of its content. */
export interface FileEntry extends AnyEntry {
  kind: "file";
  body: string;
  props: FileProps;
}

/** Content that several pages include; `body` is the hash of its text. */
export interface ReusableContentEntry extends AnyEntry {
  kind: "reusable";
  body: string | null;
  props: ReusableContentProps;
}

/** A variable of the space, whose name is the title. */
export interface VariableEntry extends AnyEntry {
  kind: "variable";
  body: null;
  props: VariableProps;
}

/** What a version holds, as every reader gets it. */
export type Entry = PageEntry | FileEntry | ReusableContentEntry | VariableEntry;

/** The entries of a kind. */
export type EntryOf<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;

/** The entry, when it is of the given kind; undefined when it is of another, or not there. */
export const ofKind = <Kind extends Entry["kind"]>(
  entry: Entry | undefined,
  kind: Kind,
): EntryOf<Kind> | undefined => (entry?.kind === kind ? (entry as EntryOf<Kind>) : undefined);

export const COLUMNS = sql.raw(
  "e.id, e.kind, e.parent, e.position, e.slug, e.title, e.body, e.git_path, e.git_oid, e.props, e.created_at, e.updated_at",
);

function valid(alias: string, seq: number | RawBuilder<number> | undefined) {
  const from = sql.ref(`${alias}.from_seq`);
  const to = sql.ref(`${alias}.to_seq`);
  return seq === undefined
    ? sql`${to} is null`
    : sql`${from} <= ${seq} and (${to} is null or ${to} > ${seq})`;
}

/** What entries are read at; the names and numbers may be columns of what they are joined to, or stand-ins. */
export interface ReadAt {
  branch: string | RawBuilder<string>;
  seq?: number | RawBuilder<number>;
  base?: { branch: string | RawBuilder<string>; seq: number | RawBuilder<number> };
}

/**
 * The same for a look-up whose plan is kept. Of a number or a branch that the planner is shown, it expects that another plan
 * costs less: branches are as different as a space and an edited page.
 */
export const unseen = ({ branch, seq, base }: ReadAt): ReadAt => ({
  branch: unseenName(branch),
  seq: seq === undefined ? undefined : unseenNumber(seq),
  base: base && { branch: unseenName(base.branch), seq: unseenNumber(base.seq) },
});

/** The branch of a look-up whose plan is kept. */
export const unseenName = (name: string | RawBuilder<string>) => sql<string>`(select ${name}::text)`;
const unseenNumber = (seq: number | RawBuilder<number>) => sql<number>`(select ${seq}::bigint)`;

/**
 * The entries of a version that satisfy `where` (a condition on the alias `e`), as a sub-query. Reads a change
 * request's own entries and, below them, those of its base; each side is filtered before they are joined, so that the
 * cost follows the condition and not the size of the space. `columns` are columns of `e`.
 */
export const entriesOf = (at: ReadAt, where: RawBuilder<unknown>, columns: RawBuilder<unknown> = COLUMNS) =>
  sql`${sql.join(sidesOf(at, where, columns), UNION)}`;

/** The two sides of `entriesOf` apart; what stands on nothing has one. */
export function sidesOf(at: ReadAt, where: RawBuilder<unknown>, columns: RawBuilder<unknown>) {
  const { branch, seq, base } = at;
  const own = sql`select ${columns} from entry e
    where e.branch = ${branch} and ${valid("e", seq)} and not e.removed and ${where}`;
  if (!base) return [own];
  const below = sql`select ${columns} from entry e
    where e.branch = ${base.branch} and ${valid("e", base.seq)} and not e.removed and ${where}
    and not exists (select 1 from entry o where o.branch = ${branch} and o.id = e.id and ${valid("o", seq)})`;
  return [own, below];
}

/** Stands between the sides of a version. */
export const UNION = sql` union all `;

/** How long the place of a revision is believed: less than a space is kept in the trash before its revisions go. */
const PLACE_MS = 3_600_000;
/** About how many bytes it takes. */
const PLACE_SIZE = 300;

/** The version at which a revision of a space can be read again, the same for good; 404 when the space never had it. */
export async function versionOfRevision(ctx: Ctx, space: string, id: string): Promise<Version> {
  // What a transaction wrote may be taken back.
  if (ctx.db.isTransaction) return readVersion(ctx, space, id);
  const name = `${space} place of ${id}`;
  const kept = ctx.cache.get(name);
  if (kept) return { ...(kept.value as Version) };
  const value = await readVersion(ctx, space, id);
  ctx.cache.set(name, { revision: id, value }, { size: PLACE_SIZE, ttl: PLACE_MS });
  return { ...value };
}

async function readVersion(ctx: Ctx, space: string, id: string): Promise<Version> {
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
  /** Whether references of the space wait to be kept; known of a branch that is locked. */
  pending?: boolean;
}

/** The version at the head of a branch. */
export function versionOfBranch(space: string, { id, revision, base_seq }: BranchHead): Version {
  return versionAt({ space, branch: id, revision, base_seq });
}

function versionAt(at: {
  space: string;
  branch: string;
  revision: string;
  seq?: number;
  base_seq: number | null;
}): Version {
  const { space, branch, revision, seq, base_seq } = at;
  const base = base_seq === null ? undefined : { branch: space, seq: base_seq };
  return { space, branch, revision, seq, base };
}

/** A column of `branch`. */
export const HAS_PENDING = sql<boolean>`exists (select from reference_pending p where p.space = branch.space)`;

/** The head of a branch, locked until the transaction ends: revisions of one branch are made one after another. */
export const lockBranch = async (ctx: Ctx, id: string): Promise<BranchHead> =>
  (await askToLockBranch(ctx, id))();

/** The same, on its way together with what is asked next. */
export async function askToLockBranch({ db }: Ctx, id: string): Promise<() => Promise<BranchHead>> {
  const read = await ask(db, headLocked({ id }));
  return async () => found((await read())[0], "Content");
}

const headLocked = prepareStatement(
  (arg: Argument<{ id: string }>) => sql<BranchHead>`
    select id, seq, revision, base_seq, ${HAS_PENDING} as pending from branch where id = ${arg("id")} for update`,
);

/** The head of a branch as it is now. */
export async function headOf(ctx: Ctx, id: string): Promise<BranchHead> {
  const head = await ctx.db
    .selectFrom("branch")
    .select(["id", "seq", "revision", "base_seq"])
    .where("id", "=", id)
    .executeTakeFirst();
  return found(head, "Content");
}
