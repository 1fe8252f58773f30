import { createHttpServer } from "@octavo/shared/http";
import { IDENTITY_HEADER } from "@octavo/shared/identity";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, expect, test } from "vitest";
import { commitPrimary } from "../../revisions/primary.js";
import { router } from "../../router.js";
import { lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";
import { waitsFor } from "../../testing/locks.js";
import { seeded } from "../../testing/trees.js";
import { pull } from "./rules/merge.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });

type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];
type One = { spaceId: string; changeRequestId: string };

async function open(spaceId: string, changes: Changes): Promise<One> {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  return { spaceId, changeRequestId };
}

const TITLES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];
const BLOCKS = ["One.", "Two.", "Three.", "Four."];
const textOf = (title: string, blocks: string[]) => ({ markdown: `# ${title}\n\n${blocks.join("\n\n")}\n` });

async function spaceWithPages() {
  const spaceId = await t.space();
  const changes = TITLES.map((title) => ({
    operation: "insert_page" as const,
    document: textOf(title, BLOCKS),
  }));
  await admin.changeRequests.merge(await open(spaceId, changes));
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, ids: pages.map(({ id }) => id) };
}

/** What somebody could want of these pages: one or two edits, which are likely to meet those of others. */
function wish(random: () => number, ids: string[], name: string): Changes {
  const below = (limit: number) => Math.floor(random() * limit);
  const edit = (at: number): Changes[number] => {
    const page = ids[at]!;
    const blocks = BLOCKS.with(below(BLOCKS.length), `By ${name}.`);
    const inserted = {
      operation: "insert_page" as const,
      title: "Same",
      document: { markdown: `By ${name}.` },
    };
    const edits: (() => Changes[number])[] = [
      () => ({ operation: "update_page", page, document: textOf(TITLES[at]!, blocks) }),
      () => ({ operation: "update_page", page, document: textOf(TITLES[at]!, blocks) }),
      () => ({ operation: "update_page", page, title: `Named by ${name}` }),
      () => ({ operation: "update_page", page, into: ids[(at + 1 + below(ids.length - 1)) % ids.length] }),
      () => ({ operation: "update_page", page, at: below(ids.length) }),
      () => inserted,
      () => ({ ...inserted, into: page }),
      () => ({ operation: "delete_page", page }),
    ];
    return edits[below(edits.length)]!();
  };
  const first = below(ids.length);
  const second = (first + 1 + below(ids.length - 1)) % ids.length;
  const removes = (change: Changes[number]) => change.operation === "delete_page";
  const one = edit(first);
  if (random() < 0.5 || removes(one)) return [one];
  const other = edit(second);
  return removes(other) || other.operation === one.operation ? [one] : [one, other];
}

interface Node {
  id: string;
  title: string;
  path?: string;
  pages?: Node[];
}

/** The tree of a space's pages with their texts; ids are left out, for new pages have others elsewhere. */
async function contentOf(spaceId: string) {
  const describe = async ({ id, title, path, pages = [] }: Node): Promise<unknown> => {
    const { markdown } = (await admin.content.page({ spaceId, pageId: id })) as { markdown?: string };
    return { title, path, markdown, pages: await Promise.all(pages.map(describe)) };
  };
  const { pages } = await admin.content.pages({ spaceId });
  return Promise.all((pages as Node[]).map(describe));
}

const mergeOf = async (one: One) => (await admin.changeRequests.merge(one)).result;

test.each([1, 2])("50 overlapping merges at once end like some order of them (%i)", async (seed) => {
  const random = seeded(seed);
  const { spaceId, ids } = await spaceWithPages();
  const twin = (await admin.spaces.duplicate({ spaceId })).id;
  const requests: { here: One; there: One }[] = [];
  for (let at = 0; at < 50; at++) {
    const changes = wish(random, ids, String(at));
    requests.push({ here: await open(spaceId, changes), there: await open(twin, changes) });
  }
  const results = await Promise.all(requests.map(({ here }) => mergeOf(here)));
  expect(new Set(results)).toEqual(new Set(["merge", "conflicts"]));

  const order = await t.db
    .selectFrom("revision")
    .select(["merged_from", "parents", "id"])
    .where("branch", "=", spaceId)
    .orderBy("seq")
    .execute();
  for (const [at, { parents }] of order.slice(1).entries()) expect(parents[0]).toBe(order[at]!.id);
  const merged = order.slice(-results.filter((result) => result === "merge").length);
  const thereOf = new Map(requests.map(({ here, there }) => [here.changeRequestId, there]));
  for (const { merged_from } of merged) expect(await mergeOf(thereOf.get(merged_from!)!)).toBe("merge");
  expect(await contentOf(twin)).toEqual(await contentOf(spaceId));

  // What was in conflict is so, or not any more, in both alike.
  for (const [at, { here, there }] of requests.entries()) {
    if (results[at] === "conflicts") expect(await mergeOf(there)).toBe(await mergeOf(here));
  }
  expect(await contentOf(twin)).toEqual(await contentOf(spaceId));
});

test("edits, updates and merges of many change requests at once lose nothing", async () => {
  const { spaceId } = await spaceWithPages();
  const insert = (title: string) => [{ operation: "insert_page" as const, title, document: {} }];
  const names = Array.from({ length: 15 }, (_, at) => `Page ${at}`);
  const kept = await Promise.all(
    names.map(async (name) => {
      const one = await open(spaceId, insert(name));
      const [late, , merged] = await Promise.allSettled([
        admin.changeRequests.edit({ ...one, changes: insert(`Late ${name}`) }),
        admin.changeRequests.pull(one),
        admin.changeRequests.merge(one),
      ]);
      expect(merged).toMatchObject({ status: "fulfilled", value: { result: "merge" } });
      if (late.status === "fulfilled") return [name, `Late ${name}`];
      expect(late.reason).toMatchObject({ code: "BAD_REQUEST" });
      return [name];
    }),
  );
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages.map(({ title }) => title).sort()).toEqual([...TITLES, ...kept.flat()].sort());
});

test("one change request is merged once, however many try at once", async () => {
  const { spaceId, ids } = await spaceWithPages();
  const one = await open(spaceId, [{ operation: "delete_page", page: ids[0]! }]);
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => admin.changeRequests.merge(one)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { changeRequestsDraft, changeRequestsOpen } = await admin.spaces.get({ spaceId });
  expect([changeRequestsDraft, changeRequestsOpen]).toEqual([0, 0]);
});

test("100 change requests that are opened at once over HTTP are numbered from 1 to 100", async () => {
  const spaceId = await t.space();
  const gateway = testKeys("gateway");
  const server = createHttpServer({
    name: "content",
    version: "1.0.0",
    router,
    log: t.ctx.log,
    base: t.base,
    verifier: gateway.verifier,
    unready: async () => [],
  });
  const people = await Promise.all(
    Array.from({ length: 10 }, (_, at) => gateway.sign(t.user({ acme: "edit" }, { id: `user-${at}` }))),
  );
  const { send, close } = await listen(server);
  try {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        send("POST", `/v1/spaces/${spaceId}/change-requests`, {
          body: { subject: `Number ${at}` },
          headers: { [IDENTITY_HEADER]: people[at % 10]! },
        }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const numbers = responses.map(({ body }) => body.number as number).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  } finally {
    await close();
  }
  const { changeRequests, changeRequestsDraft } = await admin.spaces.get({ spaceId });
  expect([changeRequests, changeRequestsDraft]).toEqual([100, 100]);
});

test("a change request that is opened while the content moves on begins at the revision that it waited for", async () => {
  const { spaceId } = await spaceWithPages();
  const db = await t.db.startTransaction().execute();
  const ctx = { ...t.ctx, db };
  const head = await lockBranch(ctx, spaceId);
  const changes = { put: [], remove: [] };
  const { id } = await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes });
  const opened = admin.changeRequests.create({ spaceId });
  expect(await waitsFor(t.db, db, opened)).toBe(true);
  await db.commit().execute();
  expect(await opened).toMatchObject({ revisionInitial: id, revision: id });
});

test("an edit that waited while the content of the space was pulled changes what is there then", async () => {
  const { spaceId, ids } = await spaceWithPages();
  const [page = "", other = ""] = ids;
  const one = await open(spaceId, [{ operation: "update_page", page: other, title: "Own" }]);
  const update: Changes = [{ operation: "update_page", page, document: textOf("Alpha", ["Pulled."]) }];
  await admin.changeRequests.merge(await open(spaceId, update));
  const db = await t.db.startTransaction().execute();
  const ctx = { ...t.context(t.user({ acme: "admin" }, { id: "ada" })), db };
  await pull({ ctx, input: one });
  const changes: Changes = [{ operation: "update_page", page, title: "Named" }];
  const edited = admin.changeRequests.edit({ ...one, changes });
  expect(await waitsFor(t.db, db, edited)).toBe(true);
  await db.commit().execute();
  await edited;
  const shown = await admin.changeRequestContent.page({ ...one, pageId: page, format: "markdown" });
  expect(shown).toMatchObject({ title: "Named", markdown: expect.stringContaining("Pulled.") });
});
