import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { errorBody } from "@octavo/shared/errors";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, expect, test } from "vitest";
import { listeners } from "../library/audience/listeners.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import * as collections from "./collections.js";
import * as spaces from "./spaces.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });

/** A site's own word on what it shows. */
const show = (site: string, space: string, given: { epoch?: number; conditions?: string[] }) =>
  deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: given.epoch ?? 0,
    spaces: [{ space, visibility: "visitor-auth", url: `http://sites.test/${site}/`, ...given }],
  });

/** What a visitor of a site finds of a space: what a look-up returns, and the status of the space by its id. */
async function found(site: string, space: string, over: Partial<ReaderCaller> = {}) {
  const visitor = t.call({
    kind: "reader",
    organization: "acme",
    site,
    epoch: 1,
    space: "start",
    revision: "r",
    token: "t",
    ...over,
  });
  const status = await visitor.spaces.get({ spaceId: space }).then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );
  return [(await visitor.spaces.lookup({ ids: [space] })).length, status];
}

test("a space that a site shows on conditions is there for its visitors who meet them", async () => {
  const space = await t.space();
  await show("docs", space, { conditions: ["visitor.claims.pro", "visitor.claims.beta"] });
  const claims = { pro: true, beta: true };
  expect(await found("docs", space, { claims })).toEqual([1, 200]);
  for (const claims of [undefined, {}, { pro: true }, { beta: true }])
    expect(await found("docs", space, { claims })).toEqual([0, 404]);
  expect(await found("other", space, { claims })).toEqual([0, 404]);
});

test("a space whose audience was narrowed is there for visitors who came since alone", async () => {
  const space = await t.space();
  await show("docs", space, { epoch: 2 });
  expect(await found("docs", space, { epoch: 2 })).toEqual([1, 200]);
  expect(await found("docs", space, { epoch: 1 })).toEqual([0, 401]);
});

test("one or several spaces and collections are found by their ids, and none without a question", async () => {
  const organizationId = "acme";
  const [one, two] = [await t.space(), await t.space()].sort() as [string, string];
  const [first, second] = [
    (await admin.collections.create({ organizationId })).id,
    (await admin.collections.create({ organizationId })).id,
  ];
  await admin.spaces.remove({ spaceId: two });
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  expect(ids(await spaces.findAnyOf(t.ctx, [one]))).toEqual([one]);
  expect(ids(await spaces.findAnyOf(t.ctx, [one, two, "nothing"]))).toEqual([one, two]);
  expect((await spaces.findAllAny(t.ctx, [two, one])).map(({ id }) => id)).toEqual([one, two]);
  expect(ids(await spaces.findAll(t.ctx, [one, two]))).toEqual([one]);
  expect((await spaces.findAny(t.ctx, two))?.id).toBe(two);
  expect(await spaces.find(t.ctx, two)).toBeUndefined();
  expect(ids(await collections.findAll(t.ctx, [first]))).toEqual([first]);
  expect(ids(await collections.findAll(t.ctx, [first, second]))).toEqual([first, second].sort());
  const { ctx, asked } = watched(t.ctx);
  expect([await spaces.findAnyOf(ctx, []), await collections.findAll(ctx, [])]).toEqual([[], []]);
  expect(asked).toEqual([]);
});
