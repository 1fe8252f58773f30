import { type Kysely, sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { up as countListed } from "../../migrations/0030-listed-comments.js";
import { contentTest } from "../../testing/content.js";
import { seeded } from "../../testing/trees.js";
import { type At, furnish, type Mount, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);

const people = ["ada", "bob", "eve"].map((id) => t.as({ acme: "create" }, { id }));

/** The counters that are kept, and what they would be if they were counted now. */
async function counters(spaceId: string) {
  const { rows } = await sql<{ of: string; kept: number; counted: number }>`
    with listed as (
      select branch, coalesce(page, '') as page, coalesce(posted_by, '') as author,
        count(*) filter (where resolved_at is null)::int as open,
        count(*) filter (where resolved_at is not null)::int as resolved
      from comment where space = ${spaceId} and parent is null
      group by grouping sets ((branch, page), (branch, posted_by), (branch, page, posted_by))
      having grouping(page) = 1 or page is not null)
    select s.id as of, s.comments as kept, (select count(*)::int from comment c
        where c.branch = s.id and c.parent is null and c.resolved_at is null) as counted
      from space s where s.id = ${spaceId}
    union all
    select s.id || ' resolved', s.comments_resolved, (select count(*)::int from comment c
        where c.branch = s.id and c.parent is null and c.resolved_at is not null)
      from space s where s.id = ${spaceId}
    union all
    select r.id || ' resolved', r.comments_resolved, (select count(*)::int from comment c
        where c.branch = r.id and c.parent is null and c.resolved_at is not null)
      from change_request r where r.space = ${spaceId}
    union all
    select r.id, r.comments, (select count(*)::int from comment c
        where c.branch = r.id and c.parent is null and c.resolved_at is null)
      from change_request r where r.space = ${spaceId}
    union all
    select c.id, c.replies, (select count(*)::int from comment r where r.parent = c.id)
      from comment c where c.space = ${spaceId} and c.parent is null
    union all
    select concat_ws(' ', branch, page, author, status), kept, counted from (
      select branch, page, author, 'open' as status, k.open as kept, coalesce(c.open, 0) as counted
        from comment_count k full join listed c using (branch, page, author)
      union all
      select branch, page, author, 'resolved', k.resolved, coalesce(c.resolved, 0)
        from comment_count k full join listed c using (branch, page, author)) each
      where branch in (select id from branch where space = ${spaceId})`.execute(t.db);
  return rows;
}

const expectCounted = async (spaceId: string) => {
  const rows = await counters(spaceId);
  expect(rows.map(({ of, kept }) => ({ of, kept }))).toEqual(
    rows.map(({ of, counted }) => ({ of, kept: counted })),
  );
};

/** Comments and replies that there are, or were a moment ago: what is done to them may come too late. */
interface Known {
  mount: Mount;
  pages: (string | undefined)[];
  comments: string[];
  replies: [comment: string, reply: string][];
}

/** One deed of somebody, at random; also to what is gone already. */
async function deed(random: () => number, at: At, { mount, pages, comments, replies }: Known) {
  const one = <T>(of: T[]) => of[Math.floor(random() * of.length)]!;
  const caller = mount.of(one(people));
  const body = text("x");
  const kind = random();
  if (comments.length === 0 || kind < 0.25)
    return void comments.push((await caller.post({ ...at, body, page: one(pages) })).id);
  const commentId = one(comments);
  if (kind < 0.45) await caller.update({ ...at, commentId, resolved: random() < 0.6 });
  else if (kind < 0.6) await caller.remove({ ...at, commentId });
  else if (kind < 0.85) {
    const { id } = await caller.postReply({ ...at, commentId, body });
    replies.push([commentId, id]);
  } else if (replies.length > 0) {
    const [commentId, commentReplyId] = one(replies);
    await caller.removeReply({ ...at, commentId, commentReplyId });
  }
}

const late = (error: { code?: string }) => {
  if (error.code !== "NOT_FOUND") throw error;
};

test.each([1, 2, 3])("the counters equal a recount after every step (seed %i)", async (seed) => {
  const random = seeded(seed);
  const { at, pageId, otherPageId } = await furnish(t, mounts[1]);
  const pages = [pageId, otherPageId, undefined];
  const known = mounts.map((mount): Known => ({ mount, pages, comments: [], replies: [] }));
  for (let step = 0; step < 60; step++) {
    await deed(random, at, known[step % 2]!).catch(late);
    await expectCounted(at.spaceId);
  }
});

test.each([4, 5, 6])("the counters equal a recount after what many do at once (seed %i)", async (seed) => {
  const random = seeded(seed);
  const { at, pageId, otherPageId } = await furnish(t, mounts[1]);
  const pages = [pageId, otherPageId, undefined];
  const known = mounts.map((mount): Known => ({ mount, pages, comments: [], replies: [] }));
  for (let round = 0; round < 6; round++) {
    const deeds = Array.from({ length: 20 }, (_, index) => deed(random, at, known[index % 2]!).catch(late));
    await Promise.all(deeds);
    await expectCounted(at.spaceId);
  }
});

test("comments that are posted, resolved and deleted beside edits of the same people come out right", async () => {
  const { at } = await furnish(t, mounts[1]);
  const [space, changeRequest] = mounts;
  const work = people.flatMap((person, index) => {
    const insert = { operation: "insert_page" as const, title: `Page ${index}`, document: text("x") };
    return [
      person.changeRequests.edit({ ...at, changes: [insert] }),
      person.changeRequests.create({ spaceId: at.spaceId }),
      space.of(person).post({ ...at, body: text("x") }),
      changeRequest.of(person).post({ ...at, body: text("x") }),
    ];
  });
  await Promise.all(work);
  await expectCounted(at.spaceId);
  const { comments } = await people[0]!.spaces.get({ spaceId: at.spaceId });
  expect(comments).toBe(3);
  expect((await people[0]!.changeRequests.get(at)).comments).toBe(3);
});

test("resolving twice counts once, and a resolved comment that is deleted not again", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const [ada] = people.map((person) => mount.of(person));
  const { id: commentId } = await ada!.post({ ...at, body: text("x") });
  const open = async () => (await people[0]!.spaces.get(at)).comments;
  expect(await open()).toBe(1);
  await Promise.all([1, 2, 3].map(() => ada!.update({ ...at, commentId, resolved: true })));
  expect(await open()).toBe(0);
  await Promise.all([1, 2, 3].map(() => ada!.remove({ ...at, commentId })));
  expect(await open()).toBe(0);
});

test.each(mounts)(
  "a list of $what that is longer than a page returns its count, for every filter",
  async (mount) => {
    const { at, pageId, otherPageId } = await furnish(t, mount);
    const [ada, bob] = people.map((person) => mount.of(person));
    const replied = await ada!.post({ ...at, body: text("x") });
    for (let index = 0; index < 8; index++) {
      const page = [pageId, otherPageId, undefined][index % 3];
      const { id: commentId } = await (index % 2 ? ada! : bob!).post({ ...at, body: text("x"), page });
      await ada!.postReply({ ...at, commentId: replied.id, body: text("x") });
      if (index % 4 === 0) await ada!.update({ ...at, commentId, resolved: true });
    }
    const { id: commentId } = await bob!.post({ ...at, body: text("x") });
    await bob!.update({ ...at, commentId, resolved: true });
    await bob!.remove({ ...at, commentId });
    const filters = (["all", "open", "resolved"] as const).flatMap((status) => [
      { status },
      { status, targetPage: pageId },
      { status, authors: ["bob"] },
      { status, authors: ["bob", "ada"] },
      { status, targetPage: pageId, authors: ["bob", "eve"] },
    ]);
    for (const filter of filters) {
      const { items } = await ada!.list({ ...at, ...filter });
      const { count } = await ada!.list({ ...at, ...filter, limit: 1 });
      expect({ ...filter, count }).toEqual({ ...filter, count: items.length });
      expect((await ada!.list({ ...at, ...filter, limit: 0 })).count).toBe(items.length);
    }
    expect((await ada!.listReplies({ ...at, commentId: replied.id, limit: 3 })).count).toBe(8);
  },
);

test("changes and deletions of many comments at once are counted, also by the release before", async () => {
  const { at } = await furnish(t, mounts[1]);
  for (const mount of mounts) {
    for (let index = 0; index < 5; index++) {
      const caller = mount.of(people[index % 3]!);
      const { id: commentId } = await caller.post({ ...at, body: text("x") });
      if (index % 2) await caller.update({ ...at, commentId, resolved: true });
    }
  }
  const resolved = () =>
    sql<{
      of: string;
      count: number;
    }>`select 'space' as of, comments_resolved as count from space where id = ${at.spaceId}
      union all select 'change request', comments_resolved from change_request where id = ${at.changeRequestId}`
      .execute(t.db)
      .then(({ rows }) => rows.map(({ count }) => count));
  expect(await resolved()).toEqual([2, 2]);
  await sql`update comment set resolved_at = now() where space = ${at.spaceId}`.execute(t.db);
  expect(await resolved()).toEqual([5, 5]);
  await sql`delete from comment where branch = ${at.changeRequestId}`.execute(t.db);
  expect(await resolved()).toEqual([5, 0]);
});

test("comments that were there before their lists were counted are counted by the migration", async () => {
  const random = seeded(7);
  const { at, pageId, otherPageId } = await furnish(t, mounts[1]);
  const pages = [pageId, otherPageId, undefined];
  const known = mounts.map((mount): Known => ({ mount, pages, comments: [], replies: [] }));
  for (let step = 0; step < 40; step++) await deed(random, at, known[step % 2]!).catch(late);
  for (const deed of ["insert", "update", "delete"])
    await sql`drop function ${sql.id(`count_listed_${deed}`)} cascade`.execute(t.db);
  await sql`drop table comment_count`.execute(t.db);
  await countListed(t.db as unknown as Kysely<unknown>);
  await expectCounted(at.spaceId);
  for (let step = 0; step < 20; step++) await deed(random, at, known[step % 2]!).catch(late);
  await expectCounted(at.spaceId);
});
