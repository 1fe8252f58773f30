import { anyOf } from "@octavo/shared/database/any-of";
import { refuseAt } from "@octavo/shared/errors";
import { personView } from "../../people/view.js";
import type { Ctx } from "../../trpc.js";
import type { Reaction } from "./schema.js";

/** Most kinds of reactions to one comment. */
const MOST_KINDS = 50;

interface Change {
  added?: string[];
  removed?: string[];
}

/** Adds and removes a person's reactions to a comment, whose row is locked. Returns what that changed. */
export async function react({ db, clock }: Ctx, comment: string, person: string, change: Change) {
  const { added = [], removed = [] } = change;
  refuseBoth(added, removed);
  const gone = await db
    .deleteFrom("comment_reaction")
    .where("comment", "=", comment)
    .where("person", "=", person)
    .where("emoji", "=", anyOf(removed))
    .returning("emoji")
    .execute();
  if (added.length === 0) return { added: [], removed: gone.map(({ emoji }) => emoji) };
  const come = await db
    .insertInto("comment_reaction")
    .values(added.map((emoji) => ({ comment, emoji, person, reacted_at: clock() })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("emoji")
    .execute();
  const { kinds } = await db
    .selectFrom("comment_reaction")
    .select(({ fn }) => fn.count<number>("emoji").distinct().as("kinds"))
    .where("comment", "=", comment)
    .executeTakeFirstOrThrow();
  if (kinds > MOST_KINDS)
    refuseAt("body.addedReactions", `a comment has at most ${MOST_KINDS} kinds of reactions`);
  return { added: come.map(({ emoji }) => emoji), removed: gone.map(({ emoji }) => emoji) };
}

function refuseBoth(added: string[], removed: string[]) {
  const both = added.filter((emoji) => removed.includes(emoji));
  if (both.length > 0)
    refuseAt("body.removedReactions", `${both.join(", ")} can not be added and removed at once`);
}

/** The reactions to each of the comments: by kind, the first kind first, with who reacted, the first first. */
export async function reactionsTo({ db, urls }: Ctx, comments: string[]): Promise<Map<string, Reaction[]>> {
  if (comments.length === 0) return new Map();
  const rows = await db
    .selectFrom("comment_reaction as reaction")
    .leftJoin("person", "person.id", "reaction.person")
    .select(["reaction.comment", "reaction.emoji", "reaction.reacted_at", "reaction.person as id"])
    .select(["person.display_name", "person.email", "person.photo_url"])
    .where("reaction.comment", "=", anyOf(comments))
    .orderBy("reaction.comment")
    .orderBy("reaction.reacted_at")
    .orderBy("reaction.person")
    .orderBy("reaction.emoji")
    .execute();
  const found = new Map<string, Map<string, Reaction>>();
  for (const { comment, emoji, reacted_at: reactedAt, ...person } of rows) {
    const kinds = found.get(comment) ?? new Map<string, Reaction>();
    const kind = kinds.get(emoji) ?? { emoji, count: 0, users: [] };
    kind.count += 1;
    kind.users.push({ user: personView(urls, person), reactedAt });
    found.set(comment, kinds.set(emoji, kind));
  }
  return new Map([...found].map(([comment, kinds]) => [comment, [...kinds.values()]]));
}
