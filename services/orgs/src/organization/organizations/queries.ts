import type { UserCaller } from "@octavo/shared/contracts/callers";
import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { isReachedWith } from "../../access/identity.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["organization"];
/** An organization, and whether the caller owns one of its teams. */
export type Row = Selectable<Table> & { owns_team: boolean };

const person = ({ caller }: Ctx) => (caller.kind === "user" ? caller.id : null);

const all = (ctx: Ctx) =>
  ctx.db
    .selectFrom("organization")
    .selectAll("organization")
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("team_member")
          .select("team_member.team")
          .whereRef("team_member.organization", "=", "organization.id")
          .where("team_member.person", "=", person(ctx))
          .where("team_member.role", "=", "owner"),
      )
        .$castTo<boolean>()
        .as("owns_team"),
    );

/** Finds an organization by id. */
export const find = (ctx: Ctx, id: string) => all(ctx).where("organization.id", "=", id).executeTakeFirst();

/** Returns the organizations of these ids, sorted by id; unknown ids are left out. */
export const findAll = (ctx: Ctx, ids: string[]) =>
  all(ctx)
    .where(({ eb, fn, val }) => eb("organization.id", "=", fn.any(val(ids))))
    .orderBy("organization.id")
    .execute();

/** The organizations that a person belongs to, with the role there. */
export const ofPerson = (ctx: Ctx, id: string) =>
  all(ctx)
    .innerJoin("member", "member.organization", "organization.id")
    .select("member.role")
    .where("member.person", "=", id)
    .where("member.disabled", "=", false);

/**
 * The organizations that name the domain and are among those given, or have verified it and `open` is set; a thousand
 * at most.
 */
export const ofDomain = (ctx: Ctx, domain: string, { own, open }: { own: string[]; open: boolean }) =>
  all(ctx)
    .where(sql<boolean>`organization.email_domains @> array[${domain}]::text[]`)
    .where(({ eb, or, and, val, exists, selectFrom }) =>
      or([
        eb("organization.id", "=", anyOf(own)),
        and([
          val(open),
          exists(
            selectFrom("email_domain")
              .select("email_domain.domain")
              .whereRef("email_domain.organization", "=", "organization.id")
              .where("email_domain.domain", "=", domain),
          ),
        ]),
      ]),
    )
    .orderBy("organization.id")
    .limit(1000)
    .execute();

/** Finds the organization with a hostname. */
export const findByHostname = (ctx: Ctx, hostname: string) =>
  all(ctx).where("organization.hostname", "=", hostname).executeTakeFirst();

/** Those of a user's organizations that the token in use reaches. */
export const reached = (ctx: Ctx, { id, token }: UserCaller) =>
  ofPerson(ctx, id).where(isReachedWith(ctx, token));

/** The first organization that a person administers. */
export const administeredBy = (ctx: Ctx, id: string) =>
  ofPerson(ctx, id).where("member.role", "=", "admin").orderBy("organization.id").limit(1).executeTakeFirst();

/** Inserts an organization. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("organization").values(values).execute();

/** Changes columns of an organization. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>) =>
  db
    .updateTable("organization")
    .set({ ...set, updated_at: new Date().toISOString() })
    .where("id", "=", id)
    .execute();
