import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

/** Imports a repository, and returns which of its texts were read. */
async function readIn(spaceId: string, url: string) {
  const read: string[] = [];
  const { work } = t.ctx;
  const watched: typeof work = {
    run: (task, input) => {
      if (task === "readImported") read.push((input as { path: string }).path);
      return work.run(task, input);
    },
    done: 0,
    close: work.close,
  };
  const operation = await run(spaceId, url, { force: true }, { ...t.ctx, work: watched });
  expect(operation).toMatchObject({ state: "success" });
  return { read: read.sort(), operation };
}

const textAt = async (spaceId: string, pagePath: string) =>
  ((await admin.content.pageAtPath({ spaceId, pagePath })) as { markdown: string }).markdown;
const shown = async (spaceId: string) => ({
  pages: (await admin.content.pages({ spaceId })).pages,
  files: (await admin.content.files({ spaceId })).items.map(({ name }) => name),
});

const source = {
  "SUMMARY.md": "# Contents\n\n* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n* [D](d.md)\n",
  "a.md": "---\ndescription: About A\n---\n\n# A\n\n[file](files/a.txt)\n",
  "b.md": "# B\n",
  "c.md": "---\nhidden: maybe\n---\n\n# C\n",
  "d.md": "# D\n",
  "files/a.txt": "a",
};

test("of a second import the texts that changed are read, and the outcome is that of reading all of them", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  expect((await readIn(spaceId, server.url)).read).toEqual(["a.md", "b.md", "c.md", "d.md"]);
  const before = await shown(spaceId);
  expect(before.files).toEqual(["a.txt"]);
  await write(server.folder, { "b.md": "# B\n\nChanged.\n", "e.md": "# E\n" });
  await write(server.folder, {
    "SUMMARY.md": `${source["SUMMARY.md"].replace("* [D](d.md)\n", "")}* [E](e.md)\n`,
  });
  await rm(join(server.folder, "d.md"));
  await server.commit("Second");
  const second = await readIn(spaceId, server.url);
  // One with a problem is read each time, so that each import reports it.
  expect(second.read).toEqual(["b.md", "c.md", "e.md"]);
  expect(second.operation.skipped).toMatchObject([
    { reason: "frontmatter", paths: [expect.stringMatching(/^c\.md:/)] },
  ]);
  expect(await textAt(spaceId, "b")).toContain("Changed.");
  const after = await shown(spaceId);
  expect(after.files).toEqual(before.files);
  expect(after.pages.map(({ title }) => title)).toEqual(["A", "B", "C", "E"]);
  expect(after.pages[0]).toMatchObject({ id: before.pages[0]!.id, description: "About A" });
  expect(
    await t.db
      .selectFrom("git_reading")
      .select("path")
      .where("space", "=", spaceId)
      .orderBy("path")
      .execute(),
  ).toEqual(["a.md", "b.md", "e.md"].map((path) => ({ path })));
});

test("a text that the space changed is read again, and one that another space has read is read here, too", async () => {
  const server = await repositoryOf(source);
  const [spaceId, other] = [await t.space(), await t.space()];
  await readIn(spaceId, server.url);
  const { id: page } = await admin.content.pageAtPath({ spaceId, pagePath: "b" });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "update_page" as const, page, document: { markdown: "# B\n\nOurs.\n" } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect((await readIn(spaceId, server.url)).read).toEqual(["b.md", "c.md"]);
  expect(await textAt(spaceId, "b")).toBe("# B\n");
  expect((await readIn(other, server.url)).read).toHaveLength(4);
});
