import { userOf } from "@octavo/shared/access";
import type { User } from "@octavo/shared/contracts/fields";
import { post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Remembers who the caller is, so that what they write can show their name. Who is known already is not even locked. */
export const keepPerson = (ctx: Ctx): Promise<void> => post(ctx.db, kept(personOf(ctx)));

/** A person as they are remembered. */
export interface Person {
  id: string;
  name: string;
  email: string | null;
  photo: string | null;
}

/** The caller, who is a user. */
export function personOf(ctx: Ctx): Person {
  const { id, name, email = null, photo = null } = userOf(ctx);
  return { id, name, email, photo };
}

/** The statement by which a person is remembered, alone or as a part of another. */
export const personKept = (arg: Argument<Person>) =>
  sql`insert into person (id, display_name, email, photo_url)
    select id, display_name, email, photo_url
    from (values (${arg("id")}::text, ${arg("name")}::text, ${arg("email")}::text, ${arg("photo")}::text))
      as given (id, display_name, email, photo_url)
    where not exists (select from person known where known.id = given.id
      and (known.display_name, known.email, known.photo_url)
        is not distinct from (given.display_name, given.email, given.photo_url))
    on conflict (id) do update set display_name = excluded.display_name, email = excluded.email,
      photo_url = excluded.photo_url`;
const kept = prepareStatement(personKept);

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
