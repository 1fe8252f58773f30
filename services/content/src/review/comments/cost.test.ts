import { counted } from "@octavo/shared/testing/counted";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const writers = ["ada", "bob"].map((id) => t.as({ acme: "comment" }, { id }));

async function queriesOf(call: (caller: ReturnType<typeof t.as>) => Promise<unknown>): Promise<number> {
  const ctx = t.context(t.user({ acme: "read" }));
  const { db, queries } = counted(ctx.db);
  await call(createCaller(router)({ ...ctx, db }));
  return queries();
}

test.each(mounts)("lists of $what take as many queries for many as for one", async (mount) => {
  const { at, pageId, otherPageId } = await furnish(t, mount);
  const write = async () => {
    for (const [index, writer] of writers.entries()) {
      const body = text("x");
      const page = index === 0 ? pageId : otherPageId;
      const { id: commentId } = await mount.of(writer).post({ ...at, body, page });
      await mount.of(writer).update({ ...at, commentId, addedReactions: ["👍"], resolved: index === 0 });
      const { id: commentReplyId } = await mount.of(writer).postReply({ ...at, commentId, body });
      await mount.of(writer).updateReply({ ...at, commentId, commentReplyId, addedReactions: ["👍"] });
    }
  };
  await write();
  const list = () => queriesOf((caller) => mount.of(caller).list({ ...at, format: "document" }));
  const few = await list();
  for (let times = 0; times < 5; times++) await write();
  expect(await list()).toBe(few);
  const { items } = await mount.of(writers[0]!).list({ ...at, limit: 1 });
  const replies = () =>
    queriesOf((caller) =>
      mount.of(caller).listReplies({ ...at, commentId: items[0]!.id, format: "document" }),
    );
  const one = await replies();
  for (let times = 0; times < 5; times++)
    await mount.of(writers[0]!).postReply({ ...at, commentId: items[0]!.id, body: text("x") });
  expect(await replies()).toBe(one);
});

/** The plan of a list of one branch among others, without its numbers. */
async function planOf(condition: string, order: "asc" | "desc") {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain (costs off) select id from comment
    where branch = 'b7' and parent is null and ${sql.raw(condition)}
    order by posted_at ${sql.raw(order)}, id ${sql.raw(order)} limit 51`.execute(t.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("every filter of the list reads an index in its order", async () => {
  const spaceId = await t.space();
  await sql`insert into comment (id, space, branch, revision, body, page, posted_by, posted_at, resolved_at)
    select 'c' || n, ${spaceId}, 'b' || n % 20, 'r', 'x', 'p' || n % 97, 'u' || n % 89,
      timestamptz '2026-01-01' + n * interval '1 second', case when n % 3 = 0 then now() end
    from generate_series(1, 20000) n`.execute(t.db);
  await sql`analyze comment`.execute(t.db);
  const wanted = [
    ["true", "comment_listed"],
    ["resolved_at is null", "comment_(open|listed)"],
    ["resolved_at is not null", "comment_(resolved|listed)"],
    ["page = 'p7'", "comment_page"],
    ["posted_by = any(array['u7'])", "comment_author"],
  ] as const;
  for (const [condition, index] of wanted) {
    for (const order of ["asc", "desc"] as const) {
      const plan = await planOf(condition, order);
      expect(plan).toMatch(new RegExp(index));
      expect(plan).not.toContain("Seq Scan");
    }
  }
});
