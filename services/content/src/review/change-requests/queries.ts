import { anyOf } from "@octavo/shared/database/any-of";
import { ask, post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { expressionBuilder, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { ChangeRequestStatus } from "../../db/tables/change-requests.js";
import { namedBy } from "../../revisions/target.js";
import { type BranchHead, HAS_PENDING } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** A change request with its author, the head of its branch, and what it is compared with. */
const rows = ({ db }: { db: Pick<Ctx["db"], "selectFrom"> }) =>
  db
    .selectFrom("change_request")
    .innerJoin("branch", "branch.id", "change_request.id")
    .innerJoin("space", "space.id", "change_request.space")
    .leftJoin("person", "person.id", "change_request.created_by")
    .select([
      "change_request.id",
      "change_request.space",
      "change_request.number",
      "change_request.status",
      "change_request.subject",
      "change_request.revision_initial",
      "change_request.revision_merged_ancestor",
      "change_request.revision_merged",
      "change_request.comments",
      "change_request.created_by",
      "change_request.created_at",
      "change_request.updated_at",
      "branch.revision",
      "space.revision as space_revision",
      "person.display_name",
      "person.email",
      "person.photo_url",
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof rows>["executeTakeFirstOrThrow"]>>;

/** Sends for a change request that this transaction has made; it is there when the transaction has ended. */
export async function askFor({ db }: Ctx, id: string): Promise<() => Promise<Row>> {
  const read = await ask(db, byId({ id }));
  return async () => (await read())[0]!;
}

const byId = prepareStatement((arg: Argument<{ id: string }>) => {
  const all = rows({ db: expressionBuilder<Database, never>() });
  return sql<Row>`${all.where("change_request.id", "=", arg("id"))}`;
});

/** Finds a change request by id. */
export const changeRequestById = (ctx: Ctx, id: string) =>
  rows(ctx).where("change_request.id", "=", id).executeTakeFirst();

/** Returns the change requests of these ids, in no order; unknown ids are left out. */
export const changeRequestsById = async (ctx: Ctx, ids: string[]) =>
  ids.length === 0 ? [] : rows(ctx).where("change_request.id", "=", anyOf(ids)).execute();

/** Finds a change request of a space by its id or its number. */
export const find = (ctx: Ctx, space: string, idOrNumber: string) =>
  rows(ctx).where("change_request.space", "=", space).where(namedBy(idOrNumber)).executeTakeFirst();

interface Filter {
  status: ChangeRequestStatus;
  creator?: string;
  contributor?: string;
}

const matching = (ctx: Ctx, { status, creator, contributor }: Filter) =>
  rows(ctx)
    .where("change_request.status", "=", status)
    .$if(creator !== undefined, (query) => query.where("change_request.created_by", "=", creator!))
    .$if(contributor !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("contributor")
            .select("person")
            .whereRef("contributor.change_request", "=", "change_request.id")
            .where("contributor.person", "=", contributor!),
        ),
      ),
    );

/** Selects the change requests of a space that match the filter. */
export const inSpace = (ctx: Ctx, space: string, filter: Filter) =>
  matching(ctx, filter).where("change_request.space", "=", space);

/** Selects the matching change requests of an organization's readable spaces; those in the trash are left out. */
export const inOrganization = (
  ctx: Ctx,
  organization: string,
  readable: RawBuilder<boolean>,
  filter: Filter,
) =>
  matching(ctx, filter)
    .where("change_request.organization", "=", organization)
    .where("space.deleted_at", "is", null)
    .where(readable);

/** What a change of status sets in the row of the space: its counters. */
export function countersAfter(from: ChangeRequestStatus, to: ChangeRequestStatus) {
  const step = (status: ChangeRequestStatus) => Number(to === status) - Number(from === status);
  return {
    change_requests_open: sql<number>`change_requests_open + ${step("open")}`,
    change_requests_draft: sql<number>`change_requests_draft + ${step("draft")}`,
  };
}

/** Moves the space's counters with a change of status. */
export async function countStatus(
  { db }: Ctx,
  space: string,
  from: ChangeRequestStatus,
  to: ChangeRequestStatus,
) {
  const counts = (status: ChangeRequestStatus) => status === "open" || status === "draft";
  if (from === to || !(counts(from) || counts(to))) return;
  await post(db, db.updateTable("space").set(countersAfter(from, to)).where("id", "=", space));
}

/**
 * Locks a change request until the transaction ends, and returns what changes of it depend on; throws when it is
 * gone.
 */
export const lock = ({ db }: Ctx, id: string) =>
  db
    .selectFrom("change_request")
    .select(["id", "status", "space", "organization", "conflict_primary", "conflict_own"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** Locks the branch of a change request and the change request, in this order; throws when it is gone. */
export async function askToLockWithBranch({ db }: Ctx, id: string) {
  const read = await ask(db, lockedWithBranch({ id }));
  return async () => {
    const [row] = await read();
    if (!row) throw new Error(`The change request ${id} is gone`);
    const { seq, revision, base_seq, pending, ...rest } = row;
    return { id, branch: { id, seq, revision, base_seq, pending }, ...rest };
  };
}

type Locked = Omit<BranchHead, "id"> & { pending: boolean } & Pick<
    Selectable<Database["change_request"]>,
    "status" | "conflict_primary" | "conflict_own"
  >;

const lockedWithBranch = prepareStatement(
  (arg: Argument<{ id: string }>) => sql<Locked>`
    select branch.seq, branch.revision, branch.base_seq, ${HAS_PENDING} as pending,
      change_request.status, change_request.conflict_primary, change_request.conflict_own
    from branch join change_request on change_request.id = branch.id
    where branch.id = ${arg("id")} for update of branch, change_request`,
);

/** Stores the sequence numbers at which the primary branch and the change request conflict; this is no edit of it. */
export const rememberConflicts = ({ db }: Ctx, id: string, primary: number, own: number) =>
  db
    .updateTable("change_request")
    .set({ conflict_primary: primary, conflict_own: own })
    .where("id", "=", id)
    .execute();

interface Opened {
  id: string;
  space: string;
  subject: string;
  /** Who opens it. */
  person: string;
  revision?: string;
}

/**
 * Inserts a change request and its branch, which begin at a revision of the space, the active one by default; returns its
 * number, the next of the space. Numbers have no gaps: the row of the space is locked until the commit.
 */
export async function insert(
  { db }: Ctx,
  { id, space, subject, person, revision }: Opened,
): Promise<{ number: number; organization: string }> {
  const { change_requests, organization, ...active } = await db
    .updateTable("space")
    .set((of) => ({
      change_requests: of("change_requests", "+", 1),
      change_requests_draft: of("change_requests_draft", "+", 1),
    }))
    .where("id", "=", space)
    .returning(["change_requests", "revision", "organization"])
    .executeTakeFirstOrThrow();
  const first = revision ?? active.revision;
  // A statement of its own: one that waited for the space does not see the revision that it waited for.
  await post(
    db,
    sql`with begun as (
      insert into branch (id, space, seq, revision, base_seq)
      select ${id}, ${space}, 0, id, seq from revision where id = ${first})
    insert into change_request (id, space, organization, number, subject, revision_initial, created_by)
    values (${id}, ${space}, ${organization}, ${change_requests}, ${subject}, ${first}, ${person})`,
  );
  return { number: change_requests, organization };
}

const changed = ({ db, clock }: Ctx, id: string, values: Updateable<Database["change_request"]>) =>
  db
    .updateTable("change_request")
    .set({ ...values, updated_at: clock() })
    .where("id", "=", id);

/** Changes columns of a change request. */
export const set = (ctx: Ctx, id: string, values: Updateable<Database["change_request"]>) =>
  post(ctx.db, changed(ctx, id, values));

/** Changes columns of a change request, and returns it as it is then; throws when it is gone. */
export async function setAndRead(
  ctx: Ctx,
  id: string,
  values: Updateable<Database["change_request"]>,
): Promise<Row> {
  const set = changed(ctx, id, values).returningAll();
  const { rows: all } = await sql<Row>`with change_request as (${set}) ${rows(ctx)}`.execute(ctx.db);
  return all[0]!;
}

/** Notes that a change request is changed; when the transaction has ended, it is returned as it is then. */
export async function touch({ db, clock }: Ctx, id: string): Promise<() => Promise<Row>> {
  const read = await ask(db, touched({ id, now: clock() }));
  return async () => (await read())[0]!;
}

const touched = prepareStatement(
  (arg: Argument<{ id: string; now: Date }>) => sql<Row>`
    with change_request as (
      update change_request set updated_at = ${arg("now")} where id = ${arg("id")} returning *)
    ${rows({ db: expressionBuilder<Database, never>() })}`,
);
