import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { errorBody } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { keepEditionsJob } from "../../search-index/keep-editions.js";
import { sweepBodies } from "../../store/sweep.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

// What a site pins is put into the queue of jobs, which is there from the first start on.
beforeAll(() => t.doJobs(keepEditionsJob));

const admin = t.as({ acme: "admin" }, { id: "ada" });
const stranger = t.as({ beta: "read" }, { id: "bob" });

interface Shown {
  revision?: string;
  epoch?: number;
  visibility?: string;
  conditions?: string[];
  published?: boolean;
}

/** A site's own word on what it shows. */
const show = (site: string, space: string, { epoch = 0, published = true, ...given }: Shown = {}) =>
  deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published,
    epoch,
    spaces: [{ space, visibility: "share-link", url: `http://sites.test/${site}/`, ...given }],
  });

/** Merges a change, and returns the revision that it makes. */
async function merge(spaceId: string, change: object): Promise<string> {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change as never] });
  return (await admin.changeRequests.merge({ spaceId, changeRequestId })).revision;
}

const page = (title: string, markdown: string) => ({
  operation: "insert_page",
  title,
  document: { markdown },
});

/** A space with a page that was changed, and a page that was added, after a first revision. */
async function written(visibility?: "public") {
  const spaceId = await t.space(visibility && { visibility });
  const first = await merge(spaceId, page("Guide", "# Guide\n\nAs it was.\n"));
  const { pages } = await admin.content.pages({ spaceId });
  const pageId = pages[0]!.id;
  await merge(spaceId, {
    operation: "update_page",
    page: pageId,
    document: { markdown: "# Guide\n\nAs it is.\n" },
  });
  const latest = await merge(spaceId, page("Later", "New.\n"));
  const site = newId("site");
  const reader = (over: Partial<ReaderCaller> = {}) =>
    t.call({
      kind: "reader",
      organization: "acme",
      site,
      epoch: 0,
      space: newId(),
      revision: newId(),
      token: newId(),
      ...over,
    });
  return { spaceId, pageId, first, latest, site, reader };
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

type Api = typeof admin;
/** What somebody reads of a space without naming a revision. */
async function read(api: Api, spaceId: string, pageId: string) {
  const [{ revision }, { pages }, document, at] = await Promise.all([
    api.spaces.get({ spaceId }),
    api.content.pages({ spaceId }),
    api.content.pageDocument({ spaceId, pageId }),
    api.content.pageAtPath({ spaceId, pagePath: "guide" }),
  ]);
  const text = JSON.stringify([document, at]);
  return {
    revision,
    titles: pages.map(({ title }) => title),
    old: text.includes("As it was."),
    new: text.includes("As it is."),
  };
}
const OLD = { titles: ["Guide"], old: true, new: false };
const NEW = { titles: ["Guide", "Later"], old: false, new: true };

test("visitors of a site that is pinned read that revision everywhere and nothing newer, editors the current one", async () => {
  const { spaceId, pageId, first, latest, site, reader } = await written();
  await show(site, spaceId, { revision: first });
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await read(reader(), spaceId, pageId)).toEqual({ revision: first, ...OLD });
    expect(await read(admin, spaceId, pageId)).toEqual({ revision: latest, ...NEW });
  }
  const visitor = reader();
  expect((await visitor.content.revision({ spaceId })).id).toBe(first);
  expect(await visitor.spaces.lookup({ ids: [spaceId] })).toMatchObject([{ revision: first }]);
  const at = (revisionId: string) => refusal(visitor.revisionContent.pages({ spaceId, revisionId }));
  expect([await at(first), await at(latest), await at(newId())]).toEqual([200, 404, 404]);
});

test("once a site is not pinned any more its visitors read the current revision and not the pinned one", async () => {
  const { spaceId, pageId, first, latest, site, reader } = await written();
  await show(site, spaceId, { revision: first });
  await show(site, spaceId);
  expect(await read(reader(), spaceId, pageId)).toEqual({ revision: latest, ...NEW });
  expect(await refusal(reader().revisionContent.pages({ spaceId, revisionId: first }))).toBe(404);
});

test("a site pins its own visitors alone", async () => {
  const { spaceId, pageId, first, latest, site, reader } = await written();
  const other = newId("site");
  await show(site, spaceId, { revision: first });
  await show(other, spaceId);
  expect((await read(reader(), spaceId, pageId)).revision).toBe(first);
  expect((await read(reader({ site: other }), spaceId, pageId)).revision).toBe(latest);
});

test("strangers read a public space at the pinned revision, unless another public site shows the current one", async () => {
  const { spaceId, pageId, first, latest, site } = await written("public");
  await show(site, spaceId, { revision: first, visibility: "public" });
  expect(await read(stranger, spaceId, pageId)).toEqual({ revision: first, ...OLD });
  await show(newId("site"), spaceId, { visibility: "share-link" });
  expect((await read(stranger, spaceId, pageId)).revision).toBe(first);
  await show(newId("site"), spaceId, { visibility: "public" });
  expect(await read(stranger, spaceId, pageId)).toEqual({ revision: latest, ...NEW });
});

test("the texts of a pinned revision outlive the sweep of texts that nothing names", async () => {
  const { spaceId, pageId, first, site, reader } = await written();
  await show(site, spaceId, { revision: first });
  await t.db
    .updateTable("body")
    .set({ check_at: "2020-01-01T00:00:00Z" })
    .where("space", "=", spaceId)
    .execute();
  while ((await sweepBodies(t.ctx, 100)) > 0);
  expect(await read(reader(), spaceId, pageId)).toMatchObject(OLD);
});

test("a token that is newer than the last event of its site reads the revision that it names, at its address alone", async () => {
  const { spaceId, pageId, first, latest, site, reader } = await written();
  await show(site, spaceId, { epoch: 3 });
  const named = { space: spaceId, revision: first };
  expect((await read(reader({ ...named, epoch: 4 }), spaceId, pageId)).revision).toBe(first);
  expect((await read(reader({ ...named, epoch: 3 }), spaceId, pageId)).revision).toBe(latest);
  expect((await read(reader({ revision: first, epoch: 4 }), spaceId, pageId)).revision).toBe(latest);
});

test("a space that is shown on conditions is read by visitors who meet all of them, wherever they came in", async () => {
  const { spaceId, site, reader } = await written();
  const conditions = ['visitor.claims.plan == "pro"', "visitor.claims.unsigned.beta"];
  await show(site, spaceId, { visibility: "visitor-auth", conditions });
  const status = (claims?: object, over: Partial<ReaderCaller> = {}) =>
    refusal(reader({ claims: claims as never, ...over }).content.pages({ spaceId }));
  const met = { plan: "pro", unsigned: { beta: true } };
  expect(await status(met)).toBe(200);
  for (const claims of [
    undefined,
    {},
    { plan: "pro" },
    { unsigned: { beta: true } },
    { ...met, plan: "free" },
  ])
    expect(await status(claims)).toBe(404);
  expect(await status({}, { space: spaceId })).toBe(404);
  await show(site, spaceId, { visibility: "visitor-auth", conditions: ["visitor.claims.("] });
  expect(await status(met)).toBe(404);
  await show(site, spaceId, { visibility: "visitor-auth", conditions, epoch: 1 });
  expect([await status(met), await status({})]).toEqual([401, 404]);
});

test("a token for a preview reads the space at its address at the revision that it names, and no other", async () => {
  const { spaceId, pageId, first, site, reader } = await written();
  const other = await written();
  await show(site, spaceId, { published: false });
  const preview = { space: spaceId, revision: first, preview: true } as const;
  expect(await read(reader(preview), spaceId, pageId)).toEqual({ revision: first, ...OLD });
  expect(await refusal(reader({ ...preview, preview: undefined }).content.pages({ spaceId }))).toBe(404);
  expect(await refusal(reader(preview).content.pages({ spaceId: other.spaceId }))).toBe(404);
  const elsewhere = reader({ ...preview, organization: "beta" });
  expect(await refusal(elsewhere.content.pages({ spaceId }))).toBe(404);
});
