import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const sites = t.call({ kind: "service", service: "sites" });

/** Where a path of the current content leads a visitor; undefined for 404. */
async function locate(spaceId: string, path: string) {
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  return sites.shownPages.locate({ spaceId, revisionId, path, claims: {} }).then(
    (found) => found.path,
    (error: { code?: string }) => {
      if (error.code !== "NOT_FOUND") throw error;
      return undefined;
    },
  );
}

const PAGES = {
  "SUMMARY.md":
    "# Contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Linux](guide/linux.md)\n",
  "README.md": "# Home\n",
  "guide/README.md": "# Guide\n",
  "guide/linux.md": "# Linux\n",
};
const settings = (redirects: string, root = "./") => ({
  ".gitbook.yaml": `root: ${root}\nredirects:\n${redirects}`,
});

test("old paths in the settings lead to the pages of their files, whatever the case, and pages at them win", async () => {
  const server = await repositoryOf({
    ...PAGES,
    ...settings(
      "  old/page: guide/linux.md#install\n  /Older.html: ./guide/README.md\n  guide: README.md\n  gone: no.md\n",
    ),
  });
  const spaceId = await t.space();
  const { skipped } = await run(spaceId, server.url);
  expect(skipped).toEqual([{ reason: "redirect", count: 1, paths: ["gone"] }]);
  expect(await locate(spaceId, "OLD/page/")).toBe("guide/linux");
  expect([await locate(spaceId, "older"), await locate(spaceId, "older.html")]).toEqual(["guide", "guide"]);
  expect([await locate(spaceId, "guide"), await locate(spaceId, "gone")]).toEqual(["guide", undefined]);
  expect(await locate(await t.space(), "old/page")).toBeUndefined();
});

test("an import takes the place of the redirects of the one before, and follows files that were renamed", async () => {
  const server = await repositoryOf({
    "docs/README.md": "# Home\n",
    "docs/linux.md": "# Linux\n\nOne of several pages.\n",
    ...settings("  one: linux.md\n  two: linux.md\n", "./docs/"),
  });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  expect([await locate(spaceId, "one"), await locate(spaceId, "two")]).toEqual(["linux", "linux"]);
  await rename(join(server.folder, "docs/linux.md"), join(server.folder, "docs/gnu.md"));
  const after = settings("  two: gnu.md\n  three: README.md\n", "./docs/");
  await writeFile(join(server.folder, ".gitbook.yaml"), after[".gitbook.yaml"]);
  await server.commit("Rename");
  await run(spaceId, server.url);
  expect(await locate(spaceId, "one")).toBeUndefined();
  expect([await locate(spaceId, "two"), await locate(spaceId, "linux")]).toEqual(["gnu", "gnu"]);
  expect(await locate(spaceId, "three")).toBe("readme");
});

test("redirects beyond the bounds are reported and lead nowhere", async () => {
  const many = Array.from({ length: 5_001 }, (_, at) => `  old-${at}: README.md\n`).join("");
  const server = await repositoryOf({
    ...PAGES,
    ...settings(`  ${"ü".repeat(600)}: README.md\n${many}`),
  });
  const spaceId = await t.space();
  const { skipped } = await run(spaceId, server.url);
  expect(skipped).toMatchObject([{ reason: "redirect", count: 2 }]);
  expect(await locate(spaceId, "old-4999")).toBeDefined();
  expect(await locate(spaceId, "old-5000")).toBeUndefined();
});
