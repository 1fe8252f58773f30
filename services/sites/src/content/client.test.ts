import { errorBody } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { contentAt } from "./client.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

test("with the content service away, what needs or shows a space is 503 and writes nothing; all else goes on", async () => {
  const here = await service.as({ acme: "create" });
  const space = service.content.space({ organization: "acme" });
  const { id: siteId } = await here.sites.create({ organizationId: "acme", spaces: [space.id] });
  const one = { organizationId: "acme", siteId };
  const away = await service.as(
    { acme: "create" },
    { content: contentAt({ url: "http://127.0.0.1:1", ownIdentity: async () => "" }) },
  );

  expect(await statusOf(away.sites.create({ organizationId: "acme", spaces: [space.id] }))).toBe(503);
  expect(await statusOf(away.sites.create({ organizationId: "acme", spaces: "empty" }))).toBe(503);
  expect(await statusOf(away.siteSpaces.add({ ...one, spaceId: space.id }))).toBe(503);
  expect(await statusOf(away.siteSpaces.list(one))).toBe(503);
  expect((await away.sites.list({ organizationId: "acme" })).count).toBe(1);

  expect((await away.sites.create({ organizationId: "acme" })).siteSpaces).toBe(0);
  expect(await statusOf(away.publishing.publish(one))).toBe(503);
  expect((await here.publishing.publish(one)).published).toBe(true);
  expect(await statusOf(away.publishing.getPublished(one))).toBe(503);
  expect(await statusOf(away.publishingAuth.get(one))).toBe(503);
  expect(await statusOf(away.sites.update({ ...one, basename: "acme-docs" }))).toBe(503);
  expect((await away.sites.update({ ...one, title: "Still here" })).title).toBe("Still here");
  expect((await away.publishing.unpublish(one)).published).toBe(false);
  expect(await statusOf(away.sites.remove(one))).toBe(200);
});

test("an identity that content does not trust reaches no space", async () => {
  const space = service.content.space({ organization: "acme" });
  const forged = await service.as({ acme: "admin" }, { identity: "x.y.z" });
  const create = forged.sites.create({ organizationId: "acme", spaces: [space.id] });
  await expect(create).rejects.toThrow();
});

test("what lies at a path is asked for once for a revision and what a visitor claims", async () => {
  const space = service.content.space({ organization: "acme", moved: { old: "new" } });
  const pageAt = (over: object = {}) =>
    service.content.client.pageAt(
      { requestId: "asking" },
      { space: space.id, revision: "one", path: "old", claims: {}, ...over },
    );
  expect([await pageAt(), await pageAt({ path: "none" })]).toEqual(["new", undefined]);
  // A revision does not change: this one stands for others, and for what others are shown.
  Object.assign(space, { moved: { old: "newer", none: "some" } });
  expect([await pageAt(), await pageAt({ path: "none" })]).toEqual(["new", undefined]);
  expect(await pageAt({ revision: "two" })).toBe("newer");
  expect(await pageAt({ claims: { beta: true } })).toBe("newer");
});
