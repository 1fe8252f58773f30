import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { commitPrimary } from "../../revisions/primary.js";
import { keepBodies } from "../../store/bodies.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";
import { found, writing } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const { open } = writing(t, admin);
const HANDBOOK = fileURLToPath(new URL("../../../../../tests/fixtures/handbook/", import.meta.url));

/** One page more, with addresses of every form. */
const MORE = `# More

[an image](<first-steps/add an image.md>) [the same](first-steps/add%20an%20image.md) [a database](../reference/database.md)
[guides](./) [top](../) ![dot](../.gitbook/assets/dot.png)

{% include "../.gitbook/includes/support.md" %}

{% content-ref url="first-steps/write-a-page.md" %}
[write-a-page.md](first-steps/write-a-page.md)
{% endcontent-ref %}
`;

/** A space that holds the files of the handbook, each under its path; pages have no other place than that. */
async function handbook() {
  const spaceId = await t.space();
  const paths = ["guides/more.md", ...readdirSync(HANDBOOK, { recursive: true }).map(String).sort()];
  const texts = paths.filter((path) => path.endsWith(".md") && path !== "SUMMARY.md");
  const files = paths.filter((path) => path.startsWith(".gitbook/assets/"));
  await transact(t.ctx, async (ctx) => {
    const hashes = await keepBodies(
      ctx,
      spaceId,
      texts.map((path) => (path === paths[0] ? MORE : readFileSync(`${HANDBOOK}${path}`, "utf8"))),
    );
    const put = [...texts, ...files].map((path, index): Entry => {
      const kind = index >= texts.length ? "file" : path.startsWith(".gitbook") ? "reusable" : "page";
      const props = kind === "file" ? { contentType: "image/png", size: 1 } : { type: "document" };
      return {
        id: `${spaceId}${index}`,
        kind,
        parent: null,
        position: `a${index}`,
        props,
        title: path,
        slug: kind === "page" ? `page-${index}` : null,
        body: hashes[index] ?? "x",
        git_path: path,
        git_oid: "",
        created_at: new Date(0).toISOString(),
        updated_at: null,
      } as Entry;
    });
    const head = await lockBranch(ctx, spaceId);
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, pages };
}

test("a repository's links lead to its files, also after every page was read as a document and sent back", async () => {
  const { spaceId, pages } = await handbook();
  const links = found(await admin.links.list({ spaceId, limit: 1000 }));
  expect(links).toEqual([
    "guides/first-steps/add an image.md -> ok file .gitbook/assets/dot.png",
    "guides/more.md -> ok page guides/first-steps/add an image.md",
    "guides/more.md -> ok page guides/first-steps/add an image.md",
    "guides/more.md -> ok page reference/database.md",
    "guides/more.md -> ok page guides/README.md",
    "guides/more.md -> ok page README.md",
    "guides/more.md -> ok file .gitbook/assets/dot.png",
    "guides/more.md -> ok reusable .gitbook/includes/support.md",
    "guides/more.md -> ok page guides/first-steps/write-a-page.md",
    "README.md -> ok page guides/README.md",
  ]);
  const changes = await Promise.all(
    pages.map(async ({ id: page }) => {
      const read = await admin.content.page({ spaceId, pageId: page, format: "document" });
      const { document } = read as unknown as { document: never };
      return { operation: "update_page" as const, page, document: { document } };
    }),
  );
  await open(spaceId, changes);
  const after = found(await admin.links.list({ spaceId, limit: 1000 }));
  expect([...new Set(after)].sort()).toEqual([...new Set(links)].sort());
});
