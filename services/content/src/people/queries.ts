import { userOf } from "@octavo/shared/access";
import type { User } from "@octavo/shared/fields";
import type { Ctx } from "../trpc.js";

/** Remembers who the caller is, so that what they write can show their name. */
export async function keepPerson(ctx: Ctx): Promise<void> {
  const { id, name, email = null, photo = null } = userOf(ctx);
  const person = { display_name: name, email, photo_url: photo };
  await ctx.db
    .insertInto("person")
    .values({ id, ...person })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(person)
        .where((of) =>
          of.or([
            of("person.display_name", "is distinct from", person.display_name),
            of("person.email", "is distinct from", person.email),
            of("person.photo_url", "is distinct from", person.photo_url),
          ]),
        ),
    )
    .execute();
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
