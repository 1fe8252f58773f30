import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });
const bob = t.as({ acme: "comment" }, { id: "bob" });
const reader = t.as({ acme: "read" }, { id: "reader" });

test.each(mounts)(
  "comments on $what are listed in both orders and by every filter, page by page",
  async (mount) => {
    const { at, pageId, otherPageId } = await furnish(t, mount);
    const ids: string[] = [];
    const post = async (who: typeof ada, page?: string) =>
      ids.push((await mount.of(who).post({ ...at, body: text("x"), page })).id);
    await post(ada);
    await post(bob, pageId);
    await post(ada, pageId);
    await post(bob, otherPageId);
    await post(ada);
    // All in one moment: the ids break the tie.
    await t.db
      .updateTable("comment")
      .set({ posted_at: "2026-01-01T00:00:00.000Z" })
      .where("id", "in", ids.slice(1, 4))
      .execute();
    const [first, second, third, fourth, last] = ids as [string, string, string, string, string];
    await mount.of(ada).update({ ...at, commentId: third, resolved: true });
    const walk = async (filter: object, limit = 2) => {
      const seen: string[] = [];
      for (let page: string | undefined; ; ) {
        const { items, count, next } = await mount.of(reader).list({ ...at, ...filter, limit, page });
        seen.push(...items.map(({ id }) => id));
        if (!next) {
          expect(count).toBe(seen.length);
          return seen;
        }
        page = next.page;
      }
    };
    const ascending = [...[second, third, fourth].sort(), first, last];
    expect(await walk({ order: "asc" })).toEqual(ascending);
    expect(await walk({})).toEqual(ascending.toReversed());
    expect(await walk({ order: "asc", status: "resolved" })).toEqual([third]);
    expect(await walk({ order: "asc", status: "open" }, 1)).toEqual(ascending.filter((id) => id !== third));
    expect((await walk({ targetPage: pageId }, 1)).sort()).toEqual([second, third].sort());
    expect(await walk({ targetPage: pageId, status: "open" })).toEqual([second]);
    expect(await walk({ targetPage: "unknown" })).toEqual([]);
    expect((await walk({ authors: ["bob", "nobody"] }, 1)).sort()).toEqual([second, fourth].sort());
    expect(await walk({ authors: ["ada", "bob"], order: "asc" })).toEqual(ascending);
    expect(await mount.of(reader).list({ ...at, limit: 0 })).toEqual({ items: [], count: 5 });
    await expect(mount.of(reader).list({ ...at, page: "broken" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  },
);

test.each(["asc", "desc"] as const)(
  "paging %s misses and repeats nothing that was there throughout",
  async (order) => {
    const [mount] = mounts;
    const { at } = await furnish(t, mount);
    const post = async () => (await mount.of(ada).post({ ...at, body: text("x") })).id;
    const [kept, passing] = [[] as string[], [] as string[]];
    for (let index = 0; index < 6; index++) {
      kept.push(await post());
      passing.push(await post());
    }
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { items, next } = await mount.of(reader).list({ ...at, order, limit: 2, page });
      seen.push(...items.map(({ id }) => id));
      page = next?.page;
      await post();
      await mount.of(ada).remove({ ...at, commentId: passing.pop()! });
      await mount.of(ada).update({ ...at, commentId: kept[0]!, resolved: page === undefined });
    } while (page && passing.length > 0);
    expect(seen).toEqual([...new Set(seen)]);
    const there = seen.filter((id) => kept.includes(id));
    expect(there.toSorted()).toEqual(kept.toSorted());
  },
);
