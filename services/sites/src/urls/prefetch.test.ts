import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import type { PublishedSiteContent } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

test("an address that led to a space before leads to what stands there now, at its revision of now", async () => {
  const api = await service.as({ acme: "create" });
  const [home, first, second] = ["Home", "First", "Second"].map((title) =>
    service.content.space({ organization: "acme", title }),
  );
  const spaces = [home!, first!, second!].map(({ id }) => id);
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces });
  const one = { organizationId: "acme", siteId };
  const { urls } = await api.publishing.publish(one);
  const stranger = await service.as({ beta: "read" });
  const resolve = async () => {
    const found = await stranger.urls.resolvePublished({ url: `${urls.published}first` });
    const { space, revision } = found as PublishedSiteContent;
    return [space, revision];
  };
  expect(await resolve()).toEqual([first!.id, first!.id]);
  const revision = newId();
  Object.assign(first!, { revision });
  expect(await resolve()).toEqual([first!.id, revision]);
  const { items } = await api.siteSpaces.list(one);
  const at = (space: string) => items.find((item) => item.space.id === space)!.id;
  await api.siteSpaces.update({ ...one, siteSpaceId: at(first!.id), path: "before" });
  await api.siteSpaces.update({ ...one, siteSpaceId: at(second!.id), path: "first" });
  expect(await resolve()).toEqual([second!.id, second!.id]);
  second!.deleted = true;
  await expect(resolve()).rejects.toMatchObject({ code: "NOT_FOUND" });
});
