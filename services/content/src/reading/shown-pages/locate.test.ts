import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { commitPrimary } from "../../revisions/primary.js";
import { keepEditionsJob } from "../../search-index/keep-editions.js";
import type { EntryFields } from "../../store/merge-entry.js";
import { pageWith } from "../../store/testing-sides.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());
// What a site pins is put into the queue of jobs, which is there from the first start on.
beforeAll(() => t.doJobs(keepEditionsJob));

const BETA = { props: { type: "document", condition: "visitor.claims.beta" } } as const;

/** A space of its own with what is written into it, revision by revision, and the visitors of a site that shows it. */
async function spaceWith(...revisions: Entry[][]) {
  const spaceId = await t.space();
  const site = newId("site");
  const show = (revision?: string) =>
    deliver(t.ctx, listeners, SiteAudience, site, {
      site,
      organization: "acme",
      published: true,
      epoch: 0,
      spaces: [{ space: spaceId, visibility: "share-link", url: `http://sites.test/${site}/`, revision }],
    });
  /** Adds a revision and returns its id. */
  const write = (put: Entry[], remove: string[] = []) =>
    transact(t.ctx, async (ctx) => {
      const head = await lockBranch(ctx, spaceId);
      return (await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove } })).id;
    });
  await show();
  for (const put of revisions) await write(put);
  const current = async () => (await t.as({ acme: "admin" }).spaces.get({ spaceId })).revision;
  const visitor = async (over: Partial<ReaderCaller> = {}) => {
    const at = { space: spaceId, revision: await current() };
    return t.call({ kind: "reader", organization: "acme", site, epoch: 0, token: newId(), ...at, ...over });
  };
  /** Where a path leads a visitor; undefined for 404. */
  async function locate(path: string, over: Partial<ReaderCaller> = {}) {
    const revisionId = over.revision ?? (await current());
    const asked = (await visitor(over)).shownPages.locate({ spaceId, revisionId, path });
    return asked.then(
      (found) => found.path,
      (error: { code?: string }) => {
        if (error.code !== "NOT_FOUND") throw error;
        return undefined;
      },
    );
  }
  return { spaceId, site, write, show, locate };
}

/** A page whose id stays, whatever its slug and its place are. */
const page = (id: string, slug: string, parent: string | null = null, more: EntryFields = {}): Entry => ({
  ...pageWith({ slug, parent, ...more }),
  id,
});

const group = { props: { type: "group" } } as const;

test("a path that a page has is its own, whatever the case, and one that no page ever had leads nowhere", async () => {
  const { locate } = await spaceWith([page("a", "guide"), page("b", "Set-Up", "a")]);
  expect(await locate("guide/Set-Up")).toBe("guide/Set-Up");
  expect(await locate("GUIDE/set-up/")).toBe("guide/Set-Up");
  for (const path of ["guide/other", "other", "guide/set-up/more", "set-up", "%", "/"])
    expect(await locate(path), path).toBeUndefined();
  expect(await locate(Array(40).fill("guide").join("/"))).toBeUndefined();
});

test("each path of a page that was renamed several times leads to where it is, whatever the case", async () => {
  const { locate } = await spaceWith([page("a", "one")], [page("a", "two")], [page("a", "three")]);
  for (const path of ["one", "two", "Two", "three"]) expect(await locate(path), path).toBe("three");
});

test("what lies below a renamed page follows it, and so does a group", async () => {
  const { locate } = await spaceWith(
    [page("a", "old", null, group), page("b", "child", "a"), page("c", "deep", "b")],
    [page("a", "new", null, group), page("b", "kid", "a")],
  );
  expect(await locate("old")).toBe("new");
  expect(await locate("old/child/deep")).toBe("new/kid/deep");
  expect(await locate("new/child/deep")).toBe("new/kid/deep");
});

test("a moved page is found from below the page that it lay under, also when that one was deleted", async () => {
  const { locate, write } = await spaceWith(
    [page("a", "a"), page("b", "b"), page("c", "c", "a")],
    [page("c", "c", "b")],
  );
  expect(await locate("a/c")).toBe("b/c");
  await write([], ["a"]);
  expect(await locate("a/c")).toBe("b/c");
  expect(await locate("a")).toBeUndefined();
  await write([page("c", "c")]);
  expect([await locate("a/c"), await locate("b/c")]).toEqual(["c", "c"]);
});

test("a page at an earlier path of another one wins, and what it lacks below is found where it was", async () => {
  const { locate, write } = await spaceWith(
    [page("a", "guide"), page("b", "linux", "a")],
    [page("a", "archive"), page("c", "guide")],
  );
  expect(await locate("guide")).toBe("guide");
  expect(await locate("guide/linux")).toBe("archive/linux");
  await write([page("d", "linux", "c")]);
  expect(await locate("guide/linux")).toBe("guide/linux");
});

test("of several pages that had a path, the one that had it last counts, and after it is deleted the one before", async () => {
  const { locate, write } = await spaceWith(
    [page("a", "path")],
    [page("a", "first")],
    [page("b", "path")],
    [page("b", "second")],
  );
  expect(await locate("path")).toBe("second");
  await write([], ["b"]);
  expect([await locate("path"), await locate("second")]).toEqual(["first", undefined]);
});

test("a deleted page leads nowhere until it is there again", async () => {
  const { locate, write } = await spaceWith([page("a", "path"), page("b", "below", "a")]);
  await write([], ["a", "b"]);
  expect([await locate("path"), await locate("path/below")]).toEqual([undefined, undefined]);
  await write([page("a", "back")]);
  expect(await locate("path")).toBe("back");
});

test("a page that became a link has no path that its earlier one could lead to", async () => {
  const link = { slug: null, props: { type: "link" } } as unknown as EntryFields;
  const { locate } = await spaceWith([page("a", "path")], [page("a", "", null, link)]);
  expect(await locate("path")).toBeUndefined();
});

test("a page that the visitor is not shown leads nowhere, also when what lies above it hides it", async () => {
  const { locate, spaceId } = await spaceWith(
    [page("a", "old", null, BETA), page("b", "below", "a")],
    [page("a", "new", null, BETA)],
  );
  expect([await locate("old"), await locate("new"), await locate("old/below")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const beta = { claims: { beta: true } };
  expect([await locate("old", beta), await locate("old/below", beta)]).toEqual(["new", "new/below"]);
  const { revision: revisionId } = await t.as({ acme: "admin" }).spaces.get({ spaceId });
  const sites = t.call({ kind: "service", service: "sites" });
  const at = { spaceId, revisionId, path: "old" };
  await expect(sites.shownPages.locate({ ...at, claims: {} })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await sites.shownPages.locate({ ...at, ...beta })).toEqual({ pageId: "a", path: "new" });
});

test("what a visitor claims in a request counts for nothing", async () => {
  const { spaceId, site } = await spaceWith([page("a", "old", null, BETA)], [page("a", "new", null, BETA)]);
  const { revision } = await t.as({ acme: "admin" }).spaces.get({ spaceId });
  const asked = { spaceId, revisionId: revision, path: "old", claims: { beta: true } };
  const reader = { kind: "reader", organization: "acme", site, epoch: 0, token: newId() } as const;
  const visitor = t.call({ ...reader, space: spaceId, revision });
  await expect(visitor.shownPages.locate(asked)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a pinned revision knows the paths up to itself and none that came later", async () => {
  const { locate, write, show } = await spaceWith([page("a", "one"), page("x", "x")]);
  const pinned = await write([page("a", "two")]);
  await write([page("a", "three")]);
  await write([page("a", "four"), page("x", "y")]);
  expect([await locate("one"), await locate("two"), await locate("x")]).toEqual(["four", "four", "y"]);
  await show(pinned);
  const at = { revision: pinned };
  expect([await locate("one", at), await locate("two", at)]).toEqual(["two", "two"]);
  expect([await locate("three", at), await locate("x", at), await locate("y", at)]).toEqual([
    undefined,
    "x",
    undefined,
  ]);
});

test("a visitor of another site and one of another revision are led nowhere", async () => {
  const { locate, write } = await spaceWith([page("a", "one")]);
  const older = await write([page("a", "two")]);
  expect(await locate("one", { revision: older })).toBe("two");
  expect(await locate("one", { site: newId("site") })).toBeUndefined();
  expect(await locate("one", { revision: newId() })).toBeUndefined();
});

test("a path of the current revision takes a visitor one statement", async () => {
  const { spaceId, site } = await spaceWith([page("a", "one")], [page("a", "two")]);
  const { revision } = await t.as({ acme: "admin" }).spaces.get({ spaceId });
  const reader = { kind: "reader", organization: "acme", site, epoch: 0, token: newId() } as const;
  const at = { spaceId, revisionId: revision, path: "one" };
  const visitor = { ...reader, space: spaceId, revision };
  await t.call(visitor).shownPages.locate(at);
  expect(await t.queriesOf(visitor, (api) => api.shownPages.locate(at))).toBe(1);
});
