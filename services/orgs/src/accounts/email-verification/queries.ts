import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** Codes in so long a time, and wrong codes until another has to be sent. */
interface Limits {
  now: string;
  /** When the time that counts began at the latest. */
  before: string;
  most: number;
}

interface Code {
  person: string;
  email: string;
  hash: Buffer;
  expires_at: string;
}

/** Notes the code that is sent, in place of the one before; false when too many letters were. */
export async function note({ db }: Ctx, code: Code, limits: Limits): Promise<boolean> {
  const { email, hash, expires_at } = code;
  const row = await db
    .insertInto("email_verification")
    .values({ ...code, since: limits.now })
    .onConflict((known) =>
      known
        .column("person")
        .doUpdateSet({ email, hash, expires_at, tries: 0, ...counted(limits) })
        .where(isLeft(limits)),
    )
    .returning("person")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts a letter to each that brings no code; returns to whom, for the others were sent too many. In one order whoever
 * counts, so that nobody waits in a circle.
 */
export async function count(
  { db }: Ctx,
  to: Pick<Code, "person" | "email">[],
  limits: Limits,
): Promise<Set<string>> {
  const inOrder = to.toSorted((one, other) => (one.person < other.person ? -1 : 1));
  const rows = await db
    .insertInto("email_verification")
    .values(inOrder.map((one) => ({ ...one, hash: null, expires_at: limits.now, since: limits.now })))
    .onConflict((known) => known.column("person").doUpdateSet(counted(limits)).where(isLeft(limits)))
    .returning("person")
    .execute();
  return new Set(rows.map(({ person }) => person));
}

const isOver = ({ before }: Limits) => sql<boolean>`email_verification.since <= ${before}`;
const isLeft = (limits: Limits) =>
  sql<boolean>`(${isOver(limits)} or email_verification.sent < ${limits.most})`;
const counted = (limits: Limits) => ({
  sent: sql<number>`case when ${isOver(limits)} then 1 else email_verification.sent + 1 end`,
  since: sql<string>`case when ${isOver(limits)} then ${limits.now} else email_verification.since end`,
});

/** Since when the codes are counted that were sent to a person. */
export const since = ({ db }: Ctx, person: string) =>
  db.selectFrom("email_verification").select("since").where("person", "=", person).executeTakeFirstOrThrow();

/** Counts a try, if one is left; returns the code that is good now. */
export const countTry = ({ db }: Ctx, person: string, { now, most }: Omit<Limits, "before">) =>
  db
    .updateTable("email_verification")
    .set({ tries: sql`tries + 1` })
    .where("person", "=", person)
    .where("hash", "is not", null)
    .where("tries", "<", most)
    .where("expires_at", ">", now)
    .returning(["hash", "email"])
    .executeTakeFirst();

/** Uses a code up; undefined when somebody else was faster. */
export const use = ({ db }: Ctx, person: string, hash: Buffer) =>
  db
    .updateTable("email_verification")
    .set({ hash: null })
    .where("person", "=", person)
    .where("hash", "=", hash)
    .returning("person")
    .executeTakeFirst();
