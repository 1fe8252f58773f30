import { GrantsCounted } from "@octavo/shared/contracts/events/content";
import { anyOf } from "@octavo/shared/database/any-of";
import { emit, lockGates } from "@octavo/shared/events/outbox";
import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** Who something is granted to. */
export interface Subject {
  subject: string;
  subject_kind: "user" | "team";
}

interface Counted extends Subject {
  organization: string;
  spaces: number;
  version: number;
}

/**
 * Emits on how many spaces each of the subjects holds a grant now. It is counted anew, with nobody else about to emit
 * of the same subject, so that the last count is right whatever came before it.
 */
export async function countGrants(ctx: Ctx, organization: string, subjects: Subject[]): Promise<void> {
  if (subjects.length === 0) return;
  const ids = subjects.map(({ subject }) => subject);
  await lockGates(ctx, ids);
  const { rows } = await sql<Counted>`
    select of.subject, of.subject_kind, ${organization} as organization,
      nextval('grant_count_version') as version, (
        select count(*) from content_grant g join space s on s.id = g.target and s.deleted_at is null
        where g.subject = of.subject and g.organization = ${organization}) as spaces
    from unnest(${ids}::text[], ${subjects.map(({ subject_kind }) => subject_kind)}::text[])
      as of (subject, subject_kind)`.execute(ctx.db);
  for (const { subject, subject_kind: type, ...count } of rows) {
    await emit(ctx, GrantsCounted, subject, { ...count, subject: { type, id: subject } });
  }
}

/** `countGrants` for everybody who holds a grant on one of the spaces, which went to the trash or came back. */
export async function countGrantsOn(ctx: Ctx, spaces: string[]): Promise<void> {
  const holders = await ctx.db
    .selectFrom("content_grant")
    .select(["organization", "subject", "subject_kind"])
    .distinct()
    .where("target", "=", anyOf(spaces))
    .execute();
  for (const organization of new Set(holders.map((holder) => holder.organization))) {
    const here = holders.filter((holder) => holder.organization === organization);
    await countGrants(ctx, organization, here);
  }
}
