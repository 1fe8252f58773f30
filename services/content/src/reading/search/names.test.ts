import { afterAll, expect, test } from "vitest";
import { gitTest } from "../../git/testing.js";
import { contentTest } from "../../testing/content.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
const git = gitTest(t);
afterAll(async () => {
  await git.close();
  await t.drop();
});
const admin = t.as({ acme: "admin" });
const search = (spaceId: string, query: string) => admin.search.inSpace({ spaceId, query });

test("GET search finds an imported page by its file and the last part of its path, a folder's page by the folder", async () => {
  const { url } = await git.repositoryOf({
    "SUMMARY.md":
      "# Contents\n\n* [Getting going](guides/first-steps.md)\n* [Overview](reference-tables/README.md)\n",
    "guides/first-steps.md": "# Getting going\n\nWords.\n",
    "reference-tables/README.md": "# Overview\n\nWords.\n",
  });
  const spaceId = await t.space();
  await git.run(spaceId, url);
  for (const query of ["first-steps", "first-steps.md", "steps"])
    expect(titles(await search(spaceId, query)), query).toEqual(["Getting going"]);
  expect(titles(await search(spaceId, "reference-tables"))).toEqual(["Overview"]);
  expect(titles(await search(spaceId, "readme"))).toEqual([]);
  const [found] = (await search(spaceId, "first-steps.md")).items;
  expect(found!.sections![0]!.body).toBe("Words.");
});

test("GET search finds a page by its slug, and by a new one once that is merged", async () => {
  const spaceId = await spaceWith(t, ["# Getting going\n\nWords.\n"]);
  const { pages } = await admin.content.revision({ spaceId });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "update_page", page: pages[0]!.id, slug: "quickstart" }],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect(titles(await search(spaceId, "quickstart"))).toEqual(["Getting going"]);
});
