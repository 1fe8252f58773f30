import { userOf } from "@octavo/shared/access";
import type { User } from "@octavo/shared/contracts/fields";
import { post } from "@octavo/shared/database/posted";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Remembers who the caller is, so that what they write can show their name. Who is known already is not even locked. */
export const keepPerson = (ctx: Ctx): Promise<void> => post(ctx.db, personKept(ctx));

/** The statement by which the caller is remembered, alone or as a part of another. */
export function personKept(ctx: Ctx) {
  const { id, name, email = null, photo = null } = userOf(ctx);
  return sql`insert into person (id, display_name, email, photo_url)
    select id, display_name, email, photo_url
    from (values (${id}::text, ${name}::text, ${email}::text, ${photo}::text)) as given (id, display_name, email, photo_url)
    where not exists (select from person known where known.id = given.id
      and (known.display_name, known.email, known.photo_url)
        is not distinct from (given.display_name, given.email, given.photo_url))
    on conflict (id) do update set display_name = excluded.display_name, email = excluded.email,
      photo_url = excluded.photo_url`;
}

/** Remembers people whom somebody else names; who is known already stays as they are. */
export async function meetPeople({ db }: Ctx, users: User[]): Promise<void> {
  if (users.length === 0) return;
  const people = users.map(({ id, displayName, email, photoURL }) => ({
    id,
    display_name: displayName,
    email: email ?? null,
    photo_url: photoURL ?? null,
  }));
  await db
    .insertInto("person")
    .values(people)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
